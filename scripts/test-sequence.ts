/** The order of test files: a long file that began last would leave the other workers idle. */
import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..');

/** Files of more than a minute, the longest first. Others follow by their size, or by their duration where it is known. */
export const LONG: readonly string[] = [
  'test/processes/rehearsal-kills.nightly.test.ts',
  'test/interop-processes/chaos.nightly.test.ts',
  'test/processes/package.test.ts',
  'test/thorough/money-interleavings.test.ts',
  'test/calls/carrier-kinds.test.ts',
  'test/interop/srtp-baresip.test.ts',
  'test/processes/crash.test.ts',
  'test/browser/words.test.ts',
  'test/processes/doc-examples.test.ts',
  'test/processes/start.test.ts',
  'test/processes/whatsapp-crash.nightly.test.ts',
  'test/browser/assistants.test.ts',
  'test/thorough/api-schemas.test.ts',
  'test/browser/operations.test.ts',
  'test/browser/screens.test.ts',
  'test/thorough/api-horrors.test.ts',
  'test/browser/providers.test.ts',
  'test/processes/backup-live.nightly.test.ts',
  'test/calls/vendor-waits.nightly.test.ts',
  'test/thorough/vendor-keys.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONG.indexOf(relative(ROOT, moduleId));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => groupOf(a) - groupOf(b) || placeOf(a) - placeOf(b));
  }
}
