// The thread that renders one long feed: see render.
import { parentPort, workerData } from 'node:worker_threads';
import { renderSound } from './render.ts';

parentPort?.postMessage(renderSound(workerData));
