if (parseInt(process.versions.node, 10) < 26) {
  console.error(
    'This app needs Node 26+, but this is Node ' +
      process.versions.node +
      '. Use `npm start` / `npm test`; if you did, run `npm ci --include=optional` (installs the pinned runtime).',
  );
  process.exit(1);
}
