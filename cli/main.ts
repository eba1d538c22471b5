#!/usr/bin/env node
import { commands } from './commands.ts';
import { runCairn } from './program/run-cairn.ts';
import { createTerminal, divertOthers } from './terminal/terminal.ts';
import { readPackage } from './program/package-root.ts';

process.env['TF_CPP_MIN_LOG_LEVEL'] ??= '2'; // TensorFlow's notes on instruction sets are no news to a user
const words = process.argv.slice(2);
const terminal = createTerminal({ out: process.stdout, err: process.stderr, environment: process.env });
if (words.includes('--json')) divertOthers({ out: process.stdout, err: process.stderr });
const exitCode = await runCairn(words, commands, {
  terminal,
  stdin: process.stdin,
  environment: process.env,
  now: () => performance.now(),
  wallClock: () => Date.now(),
  signals: process,
  kill: (code) => process.exit(code),
  version: readPackage().manifest.version,
});
process.exit(exitCode); // native code may keep handles open; all output was flushed
