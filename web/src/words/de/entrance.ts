import type { Catalogue } from '../catalogue.ts';

export const WORDS: Catalogue = {
  'First run': 'Erster Start',
  'This installation has an owner': 'Diese Installation hat einen Inhaber',
  'The link worked once. Other people join by invitation.':
    'Der Link galt einmal. Weitere Personen kommen per Einladung dazu.',
  'Go to sign in': 'Zur Anmeldung',
  'Open the printed link': 'Ausgegebenen Link öffnen',
  '{code} prints a link to this page with a secret after the {code2}. Only someone who can read that output can create the first owner. The link works for 24 hours; {code3} prints a new one.':
    '{code} gibt einen Link zu dieser Seite mit einem Geheimnis nach dem {code2} aus. Nur wer diese Ausgabe lesen kann, legt den ersten Inhaber an. Der Link gilt 24 Stunden; {code3} gibt einen neuen aus.',
  'Create the first owner': 'Ersten Inhaber anlegen',
  'You will own every workspace of this installation that has no owner.':
    'Ihnen gehört dann jeder Arbeitsbereich dieser Installation ohne Inhaber.',
  'Create owner and sign in': 'Inhaber anlegen und anmelden',
  'Open the whole link': 'Ganzen Link öffnen',
  'The part of the link after the # is missing. Copy it from the message again.':
    'Der Teil des Links nach dem # fehlt. Kopieren Sie ihn erneut aus der Nachricht.',
  'Ask an owner of the workspace for a new link.':
    'Bitten Sie einen Inhaber des Arbeitsbereichs um einen neuen Link.',
  'Join {workspace}': '{workspace} beitreten',
  'The invitation is for {email}. {NOTES}': 'Die Einladung gilt für {email}. {NOTES}',
  'Sign in as {email}': 'Als {email} anmelden',
  Join: 'Beitreten',
  'The password is set': 'Das Passwort ist gesetzt',
  'Set a new password': 'Neues Passwort setzen',
  'At least 10 characters. All your sessions end.': 'Mindestens 10 Zeichen. Alle Ihre Sitzungen enden.',
  'Set the password': 'Passwort setzen',
  'This installation has no account yet. Open the link that {code} prints to create the first owner.':
    'Diese Installation hat noch kein Konto. Öffnen Sie den Link, den {code} ausgibt, um den ersten Inhaber anzulegen.',
  'You will be an owner: you manage members, the API key and everything else.':
    'Sie werden Inhaber: Sie verwalten Mitglieder, den API-Schlüssel und alles andere.',
  'You will be a manager: you change assistants and campaigns and place calls.':
    'Sie werden Manager: Sie ändern Assistenten und Kampagnen und rufen an.',
  'You will be a viewer: you see everything and change nothing.':
    'Sie werden Leser: Sie sehen alles und ändern nichts.',
};
