import { Ajv } from 'ajv';
import { once } from '../../shared/once.ts';
import { schemaProblems, type SchemaProblem } from '../../shared/schema-problems.ts';
import { ScenarioSchema, type Scenario } from './document.ts';

const validator = once(() => {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    discriminator: true,
  });
  for (const keyword of ['x-rule', 'example']) ajv.addKeyword(keyword);
  return ajv.compile<Scenario>(ScenarioSchema);
});

/** Reads one scenario without trust; or says what is wrong, field by field. */
export function readScenario(
  document: unknown,
): { readonly scenario: Scenario } | { readonly problems: readonly SchemaProblem[] } {
  const isScenario = validator();
  return isScenario(document)
    ? { scenario: document }
    : { problems: schemaProblems(isScenario.errors ?? [], 'scenario') };
}
