import { describe, expect, it } from 'vitest';
import { apiPath, ownPath, parseEndpoint } from '../../../agents/servers/endpoint.ts';

describe('parseEndpoint', () => {
  it.each([
    ['http://localhost:8000', 'http://localhost:8000', '/v1/chat/completions', true],
    ['http://localhost:8000/v1', 'http://localhost:8000', '/v1/chat/completions', true],
    ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000', '/v1/chat/completions', true],
    ['http://[::1]:8000/v1/chat/completions', 'http://[::1]:8000', '/v1/chat/completions', true],
    ['https://api.openai.com/v1', 'https://api.openai.com', '/v1/chat/completions', true],
    ['https://proxy.example/a/b?version=2', 'https://proxy.example', '/a/b/chat/completions?version=2', true],
    ['http://gpu-3:8000/v1', 'http://gpu-3:8000', '/v1/chat/completions', false],
    ['http://127.example.org/v1', 'http://127.example.org', '/v1/chat/completions', false],
  ])('accepts %s', (text, origin, chatPath, isPrivate) => {
    expect(parseEndpoint(text, 'test')).toMatchObject({ origin, chatPath, isPrivate });
  });

  it('derives the models route, with the query', () => {
    expect(parseEndpoint('https://proxy.example/v1/chat/completions?version=2', 'test').modelsPath).toBe(
      '/v1/models?version=2',
    );
  });

  it.each([
    ['http://localhost:8000', '/v1/completions', '/generate'],
    [
      'http://localhost:8000/v1/chat/completions?version=2',
      '/v1/completions?version=2',
      '/generate?version=2',
    ],
    ['https://proxy.example/model/v1/', '/model/v1/completions', '/model/generate'],
    ['https://proxy.example/model', '/model/completions', '/model/generate'],
  ])('derives the other routes from %s', (text, api, own) => {
    const endpoint = parseEndpoint(text, 'test');
    expect([apiPath(endpoint, '/completions'), ownPath(endpoint, '/generate')]).toEqual([api, own]);
  });

  it.each([
    ['localhost', /"localhost" is not a valid URL\. Write it like/],
    ['localhost:8000', /it begins with localhost:, and it must begin with http:/],
    ['ftp://localhost', /it begins with ftp:/],
    ['http://localhost/#v1', /after #/],
    [
      'http://me:hunter2secret@localhost/',
      /the URL contains a user name or a password\. Remove it: the key comes from an environment variable\./,
    ],
    ['http://me:hunter2secret@:0/', /it is not a valid URL/],
  ])('refuses %s and repeats no password', (text, message) => {
    expect(() => parseEndpoint(text, 'test')).toThrow(message);
    expect(() => parseEndpoint(text, 'test')).not.toThrow(/hunter2secret/);
  });
});
