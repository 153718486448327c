import type { Locator, Page } from 'playwright-core';

/** The button of the menu of all filters. */
export const addFilter = (page: Page): Locator =>
  page.locator('search summary').filter({ hasText: /^\+ Filter$/ });

/** Opens the field of a filter by the menu. */
export async function openFilter(page: Page, label: string): Promise<void> {
  await addFilter(page).click();
  await page
    .getByRole('group', { name: 'Filters', exact: true })
    .getByRole('button', { name: label, exact: true })
    .click();
}

/** A choice in the open field of a filter. */
export const choiceOf = (page: Page, label: string, choice: string): Locator =>
  page.getByRole('group', { name: label, exact: true }).getByRole('button', { name: choice, exact: true });

/** Sets a filter of a list to one of its choices. */
export async function setFilter(page: Page, label: string, choice: string): Promise<void> {
  await openFilter(page, label);
  await choiceOf(page, label, choice).click();
}

/** Removes a filter by the cross of its chip. */
export const removeFilter = (page: Page, label: string): Promise<void> =>
  page.getByRole('button', { name: new RegExp(`^Remove the filter ${label}`) }).click();
