// The thread that renders one long feed: see render.
import { workerData } from 'node:worker_threads';
import { say } from '#kernel/thread-side.ts';
import { renderValidated } from './render.ts';

say(renderValidated(workerData));
