// node scripts/compile.ts: compiles the service into NODE_COMPILE_CACHE, which the first start then reads as later ones do.
// For images whose folders cannot be written.
import { flushCompileCache } from 'node:module';

await import('../src/service.ts');
flushCompileCache();
process.exit();
