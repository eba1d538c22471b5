/** What the suites are about; it stands under bench, which writes the table of attacks with it. */
export {
  never,
  readText,
  runSource,
  spokenLanguages,
  suiteLimits,
  type Sources,
  type Subject,
} from '../../../bench/sandbox/attacks/subject.ts';
