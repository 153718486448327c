import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { closeMessage } from './chromium.ts';
import type { Dashboard } from './dashboard.ts';

/** The bar that saves the changed sections of the shown tab. */
export const saveBar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes', exact: true });

/** The parts of an assistant that stand in a second row, by their group. */
const SECOND_ROW: Readonly<Record<string, readonly string[]>> = {
  Prompt: ['Instructions', 'Flow', 'Models'],
  'Tools and knowledge': ['Tools', 'Knowledge and events', 'Browser calls'],
  Quality: ['Analysis', 'Scorecard', 'Test cases', 'Versions and A/B test', 'History'],
};

/** Opens a part of the assistant that the page shows: its group, then the part in the second row. */
export async function openPart(page: Page, part: string): Promise<void> {
  const parts = page.getByRole('navigation', { name: 'Parts of the assistant' });
  const group = Object.keys(SECOND_ROW).find((name) => SECOND_ROW[name]?.includes(part)) ?? part;
  await parts.getByRole('list').first().getByRole('link', { name: group }).click();
  if (group === part) return;
  // A link with unsaved changes has a longer name.
  await parts.getByRole('list', { name: group, exact: true }).getByRole('link', { name: part }).click();
}

/** Saves the shown tab of an assistant, where `section` alone has changes. */
export async function saveSection(page: Page, section: string): Promise<void> {
  await saveBar(page).getByText(section, { exact: true }).first().waitFor();
  await saveBar(page).getByRole('button', { name: 'Save', exact: true }).click();
  await closeMessage(page, `${section}: saved.`);
}

/** Publishes the open draft that the page shows, as the version `slug`. */
export async function publishDraft(page: Page, slug: string): Promise<void> {
  const bar = page.getByRole('region', { name: 'Draft', exact: true });
  await bar.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Note').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await closeMessage(page, `New calls use ${slug}.`);
  await expect.poll(() => bar.count()).toBe(0);
}

/** What the page of an assistant edits: its open draft, else its active version. */
export async function editedVersion(dashboard: Dashboard, agentId: string): Promise<any> {
  const draft = await dashboard.api('GET', `/agent/${agentId}/draft`);
  if (draft.status === 200) return draft.body.draft.version;
  const { agents } = (await dashboard.api('GET', `/agent/${agentId}`)).body;
  return agents.version_details[agents.active_agent_version_id];
}
