/**
 * The address of the pages of every episode. Each episode has a network of its own, so nothing that pages
 * show depends on which one it is. Names below `.test` are reserved (RFC 6761).
 */
export const siteOrigin = 'http://pages.cairn.test';
