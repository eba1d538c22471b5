import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAgentSpec } from '../../../cli/evaluation/agent-spec.ts';
import { UsageError } from '../../../envs/core/errors.ts';

const read = (text: string): object => parseAgentSpec(text, 'test');

describe('parseAgentSpec', () => {
  it.each([
    ['random', { kind: 'scripted', agent: 'random' }],
    ['expert', { kind: 'scripted', agent: 'expert' }],
    ['runs/first', { kind: 'run', folder: 'runs/first' }],
    ['./first', { kind: 'run', folder: './first' }],
    ['C:\\runs\\first', { kind: 'run', folder: 'C:\\runs\\first' }],
    ['runs/first/checkpoints/iteration-00040', { kind: 'run', folder: path.resolve('runs/first'), checkpoint: 'iteration-00040' }],
    ['openai:gpt-5@https://api.openai.com/v1', { kind: 'text', model: 'gpt-5', endpoint: { host: 'api.openai.com' } }],
    ['openai:Qwen/Qwen3-8B@http://localhost:8000', { kind: 'text', model: 'Qwen/Qwen3-8B', endpoint: { host: 'localhost:8000' } }],
    ['openai:model@revision@http://localhost:8000/v1', { kind: 'text', model: 'model@revision', endpoint: { host: 'localhost:8000' } }],
    ['openai:a:b@HTTP://[::1]:1/v1', { kind: 'text', model: 'a:b', endpoint: { host: '[::1]:1' } }],
  ])('reads %s', (text, wanted) => {
    expect(read(text)).toMatchObject(wanted);
  });

  it('reads anything or says how to write it', () => {
    const pieces = fc.array(fc.constantFrom('openai:', 'random', '@', 'http://', 'https://', 'localhost', ':80', '/', '.', 'x', ' ', '#', '\\'), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          expect(read(parts.join(''))).toHaveProperty('kind');
        } catch (thrown) {
          expect(UsageError.is(thrown), String(thrown)).toBe(true);
        }
      }),
    );
  });
});
