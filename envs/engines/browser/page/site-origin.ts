/** The address of every episode's pages, each in a network of its own, so that nothing they show depends on which it is. Names below `.test` belong to nobody (RFC 6761). */
export const siteOrigin = 'http://pages.cairn.test';
