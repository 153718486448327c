import { Ajv, type ValidateFunction } from 'ajv';
import type { Static } from 'typebox';
import { isScalar, parseDocument, visit, type Document } from 'yaml';
import { once } from '../../shared/once.ts';
import { schemaProblems } from '../../shared/schema-problems.ts';
import { ProvisionFile, toPlan, type ProvisionPlan } from './schema.ts';

export type ReadProvision = { ok: true; plan: ProvisionPlan } | { ok: false; problems: string[] };

const MAX_FILE_CHARS = 4_000_000;

/** Compiled at first use, so that a start without a provision file does not wait for it. */
const validator = once((): ValidateFunction<Static<typeof ProvisionFile>> => {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false });
  ajv.addKeyword('x-rule');
  ajv.addKeyword('example');
  return ajv.compile(ProvisionFile);
});

/** Reads a provision file, YAML or JSON, as a plan or as every problem of its form as `path rule`. Never throws. */
export function readProvision(text: string): ReadProvision {
  if (text.length > MAX_FILE_CHARS) return { ok: false, problems: ['file is too large'] };
  let data: unknown;
  try {
    // Warnings would go to the process and quote the file, which holds secrets.
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    if (hasOtherKeys(document)) return { ok: false, problems: ['file has a key that is no text'] };
    data = document.toJS({ maxAliasCount: 50 }) ?? {};
  } catch (error) {
    const where = (error as { pos?: [number, number] }).pos?.[0];
    const line = where === undefined ? '' : ` (line ${text.slice(0, where).split('\n').length})`;
    return { ok: false, problems: [`file is not valid YAML or JSON${line}`] };
  }
  const validate = validator();
  if (!validate(data)) {
    return {
      ok: false,
      problems: schemaProblems(validate.errors ?? [], 'file').map((p) => `${p.field} ${p.message}`),
    };
  }
  const { trunks = [], workspaces = [] } = toPlan(data);
  return { ok: true, plan: { trunks, workspaces } };
}

/** Whether a key is a list, a map or an alias: nested ones take exponential time to convert. */
function hasOtherKeys(document: Document.Parsed): boolean {
  let found = false;
  visit(document, {
    Pair: (_key, { key }) => {
      found = key !== null && !isScalar(key);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}
