import type { Catalogue } from '../catalogue.ts';

export const WORDS: Catalogue = {
  'No knowledge bases yet': 'Noch keine Wissensbasen',
  'In progress': 'In Arbeit',
  'Partly done': 'Teilweise fertig',
  'Every source failed': 'Alle Quellen sind gescheitert',
  '{failed} of {sources} failed': '{failed} von {sources} gescheitert',
  'PDF, DOCX, TXT, MD, HTML or CSV, up to 10 MB each.': 'PDF, DOCX, TXT, MD, HTML oder CSV, je bis zu 10 MB.',
  'Addresses of web pages, one a line': 'Adressen von Webseiten, eine je Zeile',
  'Each is fetched once.': 'Jede wird einmal abgerufen.',
  'Questions with answers': 'Fragen mit Antworten',
  'Question {index}': 'Frage {index}',
  'Answer {index}': 'Antwort {index}',
  'Add a question': 'Frage hinzufügen',
  'New knowledge base': 'Neue Wissensbasis',
  'Name of the knowledge base': 'Name der Wissensbasis',
  'Documents, web pages and questions with answers that assistants search during a call.':
    'Dokumente, Webseiten und Fragen mit Antworten, die Assistenten im Anruf durchsuchen.',
  'Assistants answer from their instructions alone. Add prices, opening times or a handbook, then attach the knowledge base to an assistant.':
    'Assistenten antworten nur aus ihren Anweisungen. Fügen Sie Preise, Öffnungszeiten oder ein Handbuch hinzu, und ordnen Sie die Wissensbasis einem Assistenten zu.',
  'Add to it': 'Dazu hinzufügen',
  Chunks: 'Abschnitte',
  'Chunks of {name}': 'Abschnitte von {name}',
  '{total}: a search finds these parts, not the whole source.{size}':
    '{total}: Eine Suche findet diese Teile, nicht die ganze Quelle.{size}',
  'The test search found {size} of them.': 'Die Testsuche fand {size} davon.',
  'None yet: the source waits to be read.': 'Noch keine: Die Quelle wartet darauf, gelesen zu werden.',
  'Chunk {position}': 'Abschnitt {position}',
  'Found, score {score}': 'Gefunden, Wertung {score}',
  'Delete {kbName}': '{kbName} löschen',
  'Delete the knowledge base': 'Wissensbasis löschen',
  'Its files, pages and questions are deleted with it.':
    'Ihre Dateien, Seiten und Fragen werden mit gelöscht.',
  'Assistants use it: {users}. Remove it from all of their versions first.':
    'Assistenten nutzen sie: {users}. Entfernen Sie sie zuerst aus allen ihren Versionen.',
  'Remove it, and add the file again.': 'Entfernen Sie sie, und fügen Sie die Datei erneut hinzu.',
  'Chunks of {name}: {chunks}': 'Abschnitte von {name}: {chunks}',
  'Read {name} again': '{name} erneut lesen',
  Sources: 'Quellen',
  'None yet: searches find nothing.': 'Noch keine: Suchen finden nichts.',
  'Test search': 'Testsuche',
  'A question of a caller': 'Eine Frage eines Anrufers',
  Search: 'Suchen',
  'Nothing was found: an assistant would have no answer from here.':
    'Nichts gefunden: Ein Assistent hätte hier keine Antwort.',
  'Score {score}': 'Wertung {score}',
  'Further sources': 'Weitere Quellen',
  Previous: 'Zurück',
  'Used by': 'Benutzt von',
  'Same question': 'Gleiche Frage',
  '{name} is attached to the draft. Publish it, and calls use it.':
    '{name} ist an den Entwurf angebunden. Sobald Sie ihn veröffentlichen, nutzen Anrufe sie.',
  'Attach it to an assistant': 'An einen Assistenten anbinden',
  'No assistant yet': 'Noch kein Assistent',
  Reading: 'Einlesen',
  'Choose the files again.': 'Wählen Sie die Dateien noch einmal.',
};
