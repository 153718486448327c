import { isCollection, isMap, isScalar, Lexer, parseDocument, visit } from 'yaml';

/** Lists and maps inside one another. */
export const MOST_DEPTH = 64;
/** Reading takes 10 microseconds a token. */
const MOST_TOKENS = 60_000;
/** Copies that aliases make of one node, at most. */
const MOST_COPIES = 100;
/** The lexer's mark before the text of a scalar, which may be a bracket. */
const SCALAR = '\u001f';

/** A text of more tokens or greater depth than is read; the message is the rule. */
export class YamlLimitError extends Error {}

/** Whether `readYaml` reads a text of so many tokens. */
export function isShortYaml(text: string): boolean {
  let count = 0;
  for (const _ of new Lexer().lex(text)) if ((count += 1) > MOST_TOKENS) return false;
  return true;
}

/** Whether brackets are open inside one another, each of which makes the parser call itself. */
function nestsDeeply(text: string): boolean {
  let open = 0;
  let before = '';
  for (const token of new Lexer().lex(text)) {
    if (before !== SCALAR) {
      if (token === '[' || token === '{') open += 1;
      else if (token === ']' || token === '}') open -= 1;
      if (open > MOST_DEPTH) return true;
    }
    before = token;
  }
  return false;
}

const tooDeep = (): YamlLimitError =>
  new YamlLimitError(`must have lists and maps at most ${MOST_DEPTH} deep`);

/**
 * The value of a text in YAML 1.2 (or JSON) from outside. It counts tokens and nested brackets before it parses, and refuses a key that
 * is a list or a map, which the library would convert in exponential time. Throws `YamlLimitError`, or an error that says what is wrong.
 */
export function readYaml(text: string, { aliases }: { readonly aliases: boolean }): unknown {
  if (nestsDeeply(text)) throw tooDeep();
  if (!isShortYaml(text))
    throw new YamlLimitError(`must have at most ${MOST_TOKENS} tokens of YAML; send it as JSON`);
  try {
    // The library's own check of keys compares every pair of them.
    const read = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
    const [fault] = read.errors;
    if (fault?.code === 'RESOURCE_EXHAUSTION') throw tooDeep();
    if (fault !== undefined) throw fault;
    visit(read, {
      Alias: () => {
        if (!aliases) throw new Error('aliases are not read');
      },
      Collection: (_, node, path) => {
        if (path.filter(isCollection).length >= MOST_DEPTH) throw tooDeep();
        if (!isMap(node)) return;
        const { items } = node;
        if (items.some(({ key }) => key !== null && !isScalar(key)))
          throw new Error('a key must be a text, not a list, a map or an alias');
        const keys = new Set(items.map(({ key }) => String(key)));
        if (keys.size < items.length) throw new Error('a map has a key twice');
      },
    });
    return read.toJS({ maxAliasCount: aliases ? MOST_COPIES : 0 });
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}
