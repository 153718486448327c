/** What the list at the side needs of the OpenAPI document. */
export interface ApiDocument {
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { operationId?: string; summary?: string; tags?: readonly string[] }>>
    >
  >;
}
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}
export interface Section {
  readonly name: string;
  readonly operations: readonly Operation[];
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** The operations of the document by their tag, in the order in which it declares the tags. */
export function sectionsOf(document: ApiDocument): readonly Section[] {
  const byTag = new Map<string, Operation[]>(document.tags?.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, summary = '', tags = [] }] of Object.entries(methods)) {
      if (!METHODS.has(method) || operationId === undefined) continue;
      for (const tag of tags) {
        const operations = byTag.get(tag) ?? [];
        byTag.set(tag, [...operations, { id: operationId, method: method.toUpperCase(), path, summary }]);
      }
    }
  }
  return [...byTag]
    .map(([name, operations]) => ({ name, operations }))
    .filter(({ operations }) => operations.length > 0);
}

/** The sections with the operations in which every word of `search` occurs; a section whose name has them is whole. */
export function matching(sections: readonly Section[], search: string): readonly Section[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (...texts: readonly string[]): boolean =>
    words.every((word) => texts.some((text) => text.toLowerCase().includes(word)));
  return sections
    .map(({ name, operations }) => ({
      name,
      operations: operations.filter(({ id, method, path, summary }) => has(name, id, method, path, summary)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

/** The address of a section or an operation on the page, as Swagger UI writes it. */
export const addressOf = (section: string, operation?: string): string =>
  `#/${[section, operation].flatMap((part) => (part === undefined ? [] : [encodeURIComponent(part)])).join('/')}`;
