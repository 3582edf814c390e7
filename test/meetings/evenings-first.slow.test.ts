import { manyEvenings } from './evenings/many.ts';

manyEvenings(0);
