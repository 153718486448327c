import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLOW_TEMPLATES } from '../../../../src/shared/flow-templates/list.ts';
import { withCompany } from './beginnings.ts';

describe('the company of a new assistant', () => {
  it.each(FLOW_TEMPLATES.map((template) => [template.id, template] as const))(
    'takes the place of the sample company in the first words of %s',
    (_, template) => {
      expect(template.opening).toContain(template.company);
      assert(
        property(
          string({ minLength: 1 }).filter((name) => name.trim() !== ''),
          (name) => {
            const [before = '', ...rest] = template.opening.split(template.company);
            const said = withCompany(template.opening, template, name);
            expect(said.startsWith(`${before}${name.trim()}`)).toBe(true);
            expect(said.endsWith(rest.join(name.trim()))).toBe(true);
          },
        ),
      );
    },
  );

  it('leaves a text as it stands without a name, and without a template', () => {
    const [template] = FLOW_TEMPLATES;
    expect(withCompany('this is City Dental.', template, ' ')).toBe('this is City Dental.');
    expect(withCompany('this is City Dental.', undefined, 'Ours')).toBe('this is City Dental.');
  });
});
