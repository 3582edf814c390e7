// Loaded before the service: makes its clock, and its timers of a second or more, run SOAK_SPEED times as fast.
const SPEED = Number(process.env.SOAK_SPEED ?? 1);
const systemNow = Date.now;
const began = systemNow();
Date.now = () => began + (systemNow() - began) * SPEED;

const faster = (ms?: number) => (ms !== undefined && ms >= 1_000 ? ms / SPEED : ms);
const { setInterval: every, setTimeout: after } = globalThis;
globalThis.setInterval = ((run: () => void, ms?: number, ...rest: []) =>
  every(run, faster(ms), ...rest)) as typeof setInterval;
globalThis.setTimeout = Object.assign(
  (run: () => void, ms?: number, ...rest: []) => after(run, faster(ms), ...rest),
  after,
) as typeof setTimeout;
