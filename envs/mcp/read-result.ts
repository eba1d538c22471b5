import type { CallToolResult } from '@modelcontextprotocol/client';

/** A result as an agent sees it. */
export interface ReadResult {
  /** Texts as they are; other content by its kind and size. */
  readonly text: string;
  /** The structured content; else the text as JSON where it is an object or a list; else the text. */
  readonly value: unknown;
}

type Block = CallToolResult['content'][number];

/** Reads a result. Its size is limited by what a server may send for one call. */
export function readResult({ content, structuredContent }: CallToolResult): ReadResult {
  const text = content.map(textOf).join('\n');
  if (structuredContent !== undefined)
    return { text: text === '' ? JSON.stringify(structuredContent) : text, value: structuredContent };
  return { text, value: parsedOf(text) };
}

function textOf(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${block.data.length} characters of base64]`;
    case 'resource_link':
      return `[link ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[resource ${block.resource.uri}, ${block.resource.blob.length} characters of base64]`;
    default:
      return '[content of another kind]';
  }
}

function parsedOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
