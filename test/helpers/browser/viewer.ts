import { openPage, type Watched } from './chromium.ts';
import type { Dashboard } from './dashboard.ts';
import { openPlace } from './places.ts';

/** Invites a viewer, who joins in a browser profile of their own. */
export async function joinAsViewer({ browser, service, owner }: Dashboard): Promise<Watched> {
  await openPlace(owner.page, 'Members');
  await owner.page.getByLabel('Email of the person').fill('viewer@example.com');
  await owner.page.getByRole('button', { name: 'Create link' }).click();
  const link = (await owner.page.getByText(/invitation#/).textContent()) ?? '';
  const viewer = await openPage(browser, service.url);
  await viewer.page.goto(link);
  await viewer.page.getByLabel('Password').fill('the passphrase of a viewer');
  await viewer.page.getByRole('button', { name: 'Join' }).click();
  await viewer.page.getByRole('link', { name: 'Calls', exact: true }).waitFor();
  return viewer;
}
