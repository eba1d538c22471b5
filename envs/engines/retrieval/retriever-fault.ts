import { FaultError } from '../../core/errors.ts';
import type { RequestFailure } from '../json-client/json-client.ts';

/** The fault of a search engine whose server failed. It is never an empty result. */
export const retrieverFault = ({ cause, ...failure }: RequestFailure): FaultError =>
  new FaultError({ kind: 'retriever-failed', ...failure }, { cause });
