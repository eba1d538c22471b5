/** The subject of the suites. It lives in bench, which writes the table of attacks with it. */
export {
  never,
  readText,
  runSource,
  spokenLanguages,
  suiteLimits,
  type Sources,
  type Subject,
} from '../../../bench/sandbox/attacks/subject.ts';
