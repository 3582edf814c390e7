// Loaded before the service starts: each message moves the clock of the process ahead by that many milliseconds.
const systemNow = Date.now;
let ahead = 0;

Date.now = () => systemNow() + ahead;
process.on('message', (ms: number) => {
  ahead += ms;
});
process.channel?.unref();
