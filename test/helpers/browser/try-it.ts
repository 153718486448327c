import type { Locator, Page } from 'playwright-core';

/** The test beside the editor of an assistant. */
export const testPanel = (page: Page): Locator => page.getByRole('dialog', { name: 'Try it', exact: true });

/** Shows one of its ways: Text, Voice or Phone. */
export const chooseWay = (page: Page, way: 'Text' | 'Voice' | 'Phone'): Promise<void> =>
  testPanel(page).getByRole('button', { name: way, exact: true }).click();

/** Fills a test value in. */
export async function fillValue(page: Page, name: string, value: string): Promise<void> {
  const field = testPanel(page).getByLabel(name, { exact: true });
  if (!(await field.isVisible()))
    await testPanel(page).locator('summary', { hasText: 'Test values' }).click();
  await field.fill(value);
}

/** Opens the dialog of a call to a phone. */
export async function callPhone(page: Page): Promise<Locator> {
  await chooseWay(page, 'Phone');
  await testPanel(page).getByRole('button', { name: 'Call a phone', exact: true }).click();
  return page.getByRole('dialog', { name: 'Call with this assistant', exact: true });
}
