import type { FastifyInstance } from 'fastify';
import { errors } from '../../errors.ts';
import { isStrict } from '../requests/noticed.ts';
import { atPlace, notUtf8At, placeOf, scanJson } from './json-text.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body was JSON without an escape that may stand for text that cannot be stored: none of its values needs a look. */
    isBodyStorable: boolean;
  }
}

const BYTE_ORDER_MARK = '\uFEFF';
/** JSON in UTF-8 has NUL and parts of surrogate pairs only as escapes. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * Parses JSON bodies: strict UTF-8, bounded nesting, no key that reaches a prototype. An empty body parses as undefined,
 * so that the schema names the missing fields; other invalid JSON answers 400 with its place. Of duplicate keys the last
 * value counts, and the answer names them.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  app.removeAllContentTypeParsers();
  app.decorateRequest('isBodyStorable', false);
  app.addHook('preParsing', async (request) => {
    const encoding = request.headers['content-encoding']?.trim() ?? '';
    if (!/^(?:identity)?$/i.test(encoding)) throw errors.encodingNotSupported(encoding);
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      return done(
        bytes[0] === 0x1f && bytes[1] === 0x8b
          ? errors.encodingNotSupported('gzip')
          : errors.malformedJson(`it is not UTF-8 at byte ${notUtf8At(bytes) ?? 0}`),
      );
    }
    const bare = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    const { fault, duplicates } = scanJson(bare);
    const place = (at: number) => placeOf(text, at + text.length - bare.length);
    if (fault !== null) return done(errors.malformedJson(fault.reason, place(fault.at)));
    const named = duplicates.map(({ key, at }) => ({ key, place: place(at) }));
    const [first] = named;
    if (first !== undefined && isStrict(request)) {
      return done(errors.malformedJson(`the key ${JSON.stringify(first.key)} occurs twice`, first.place));
    }
    request.duplicateKeys = named.map((one) => ({ key: one.key, where: atPlace(one.place) }));
    request.isBodyStorable = !UNSTORABLE_ESCAPE.test(bare);
    return done(null, JSON.parse(bare));
  });
}
