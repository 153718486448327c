import type { FastifyInstance } from 'fastify';
import { errors } from '../errors.ts';

/** Deeper than any valid request; bounds the recursion of every function that walks a body. */
const MAX_DEPTH = 64;

/** The maximum nesting of arrays and objects in JSON text, counted without parsing. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (isInString) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) isInString = false;
    } else if (c === 0x22) isInString = true;
    else if (c === 0x7b || c === 0x5b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (c === 0x7d || c === 0x5d) depth -= 1;
  }
  return deepest;
}

/**
 * Parses JSON bodies: strict UTF-8, bounded nesting, no `__proto__`. An empty body parses as undefined, so that the
 * schema names the missing fields; any other invalid JSON answers 400.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      return done(errors.malformedJson('it is not UTF-8'));
    }
    if (jsonDepth(text) > MAX_DEPTH)
      return done(errors.malformedJson(`it nests deeper than ${MAX_DEPTH} levels`));
    return parse(request, text, (error, value) =>
      error === null ? done(null, value) : done(errors.malformedJson('it does not parse')),
    );
  });
}
