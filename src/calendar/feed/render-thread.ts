// The thread that renders one long feed: see render.
import { parentPort, workerData } from 'node:worker_threads';
import { renderValidated } from './render.ts';

parentPort?.postMessage(renderValidated(workerData));
