// Loaded before the service starts, so that a test can move the clock of the process by messages of milliseconds.
const systemNow = Date.now;
let ahead = 0;

Date.now = () => systemNow() + ahead;
process.on('message', (ms: number) => {
  ahead += ms;
});
process.channel?.unref();
