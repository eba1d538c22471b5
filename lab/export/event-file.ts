import { crc32c } from './crc32c.ts';
import { bytesField, doubleField, floatField, integerField, joinBytes, textField } from './protobuf.ts';

/*
 * TensorBoard's event files, written by hand: records of length, masked CRC-32C of the length, data, masked CRC-32C of the data
 * (tensorflow/core/lib/io/record_writer), the data being Event messages in protocol buffers (event.proto, summary.proto).
 */

/** A number at a step. */
export interface Scalar {
  readonly tag: string;
  /** Whole, from 0. */
  readonly step: number;
  readonly value: number;
  /** Seconds since 1970, or since the start: TensorBoard draws its "relative" and "wall" axes by it. */
  readonly wallTime: number;
}

/** An event file that holds the scalars, in order. */
export function encodeEventFile(scalars: readonly Scalar[]): Uint8Array {
  return joinBytes([encodeFileHead(scalars[0]?.wallTime ?? 0), ...scalars.map(encodeScalar)]);
}

/** What every file begins with. Times are seconds since 1970, or since the start. */
export const encodeFileHead = (wallTime: number): Uint8Array =>
  record(joinBytes([doubleField(1, wallTime), textField(3, 'brain.Event:2')]));

/** Summary.Value: tag = 1, simple_value = 2. */
export const encodeScalar = ({ tag, step, value, wallTime }: Scalar): Uint8Array =>
  encodeSummary(joinBytes([textField(1, tag), floatField(2, value)]), { step, wallTime });

/** A time, and the step that it belongs to. */
interface Moment {
  readonly step: number;
  readonly wallTime: number;
}

/** A text in Markdown, of the plugin "text". TensorProto: dtype = 1 (7 is text), tensor_shape = 2, string_val = 8. */
export function encodeText({ tag, text, wallTime }: TextOfRun): Uint8Array {
  const shape = bytesField(2, integerField(1, 1)); // one dimension, of size 1
  const tensor = joinBytes([integerField(1, 7), bytesField(2, shape), textField(8, text)]);
  const value = joinBytes([textField(1, tag), bytesField(8, tensor), bytesField(9, metadata('text'))]);
  return encodeSummary(value, { step: 0, wallTime });
}

/** A text about a run. */
export interface TextOfRun {
  readonly tag: string;
  readonly text: string;
  readonly wallTime: number;
}

/** Settings of a run, by which TensorBoard's table of hyperparameters shows and sorts runs. */
export type HyperParameters = Readonly<Record<string, number | string | boolean>>;

/**
 * The start of a run with its settings, of the plugin "hparams". SessionStartInfo: hparams = 1, a map of google.protobuf.Value
 * (number = 2, text = 3, boolean = 4); start_time_secs = 5.
 */
export function encodeRunStart(parameters: HyperParameters, wallTime: number): Uint8Array {
  const entries = Object.entries(parameters).map(([name, value]) =>
    bytesField(1, joinBytes([textField(1, name), bytesField(2, encodeParameter(value))])),
  );
  const start = joinBytes([...entries, doubleField(5, wallTime)]);
  return encodeRunInfo('_hparams_/session_start_info', bytesField(3, start), wallTime);
}

function encodeParameter(value: number | string | boolean): Uint8Array {
  if (typeof value === 'number') return doubleField(2, value);
  return typeof value === 'string' ? textField(3, value) : integerField(4, value ? 1 : 0);
}

/** The end of a run. SessionEndInfo: status = 1 (1 is success, 2 is failure), end_time_secs = 2. */
export const encodeRunEnd = (isWhole: boolean, wallTime: number): Uint8Array =>
  encodeRunInfo(
    '_hparams_/session_end_info',
    bytesField(4, joinBytes([integerField(1, isWhole ? 1 : 2), doubleField(2, wallTime)])),
    wallTime,
  );

/** Without a number of its own: the plugin wants an empty tensor beside its content. */
function encodeRunInfo(tag: string, content: Uint8Array, wallTime: number): Uint8Array {
  const emptyTensor = joinBytes([integerField(1, 1), bytesField(2, bytesField(2, integerField(1, 0)))]);
  const value = joinBytes([
    textField(1, tag),
    bytesField(8, emptyTensor),
    bytesField(9, metadata('hparams', content)),
  ]);
  return encodeSummary(value, { step: 0, wallTime });
}

/** SummaryMetadata: plugin_data = 1, with plugin_name = 1 and content = 2. */
const metadata = (plugin: string, content: Uint8Array = new Uint8Array()): Uint8Array =>
  bytesField(1, joinBytes([textField(1, plugin), bytesField(2, content)]));

/**
 * Begins a file that continues those before it: TensorBoard then drops what they hold from `step` on. Event: session_log = 7, whose
 * status = 1 is 1 for a start.
 */
export const encodeRestart = ({ step, wallTime }: Moment): Uint8Array =>
  record(joinBytes([doubleField(1, wallTime), integerField(2, step), bytesField(7, integerField(1, 1))]));

/** Event: wall_time = 1, step = 2, summary = 5. Summary: value = 1. */
const encodeSummary = (value: Uint8Array, { step, wallTime }: Moment): Uint8Array =>
  record(joinBytes([doubleField(1, wallTime), integerField(2, step), bytesField(5, bytesField(1, value))]));

function record(data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(data.byteLength), 0);
  head.writeUInt32LE(maskedCrc(head.subarray(0, 8)), 8);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(maskedCrc(data), 0);
  return joinBytes([head, data, tail]);
}

/** Rotated and shifted, because a CRC over data that holds CRCs is weak. */
function maskedCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
