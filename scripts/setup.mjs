// Makes a fresh clone ready: dependencies, and with --build also dist/. Does nothing when all is current. Writes to stderr only.
// The version check comes first and in old syntax, so that an old Node prints its sentence and not a syntax error.
const wanted = { major: 20, minor: 19 }; // as `engines` in package.json says; a test holds the two together
const [major = '0', minor = '0'] = process.versions.node.split('.');

if (Number(major) < wanted.major || (Number(major) === wanted.major && Number(minor) < wanted.minor)) {
  process.stderr.write(
    'set-up: this is Node ' +
      process.versions.node +
      ', and Cairn needs ' +
      wanted.major +
      '.' +
      wanted.minor +
      ' or newer. ' +
      'Install a newer Node (22 is a good choice) and run the command again.\n',
  );
  process.exit(1);
}

import('./set-up/run.mjs')
  .then((setUp) => setUp.run(process.argv.slice(2)))
  .catch((/** @type {unknown} */ thrown) => {
    process.stderr.write('set-up: ' + (thrown instanceof Error ? thrown.message : String(thrown)) + '\n');
    process.exitCode = 1;
  });
