import type { Catalogue } from '../catalogue.ts';

export const WORDS: Catalogue = {
  'No knowledge bases yet': 'Aún no hay bases de conocimiento',
  'In progress': 'En curso',
  'Partly done': 'Hecho en parte',
  'Every source failed': 'Todas las fuentes fallaron',
  '{failed} of {sources} failed': '{failed} de {sources} fallaron',
  'PDF, DOCX, TXT, MD, HTML or CSV, up to 10 MB each.':
    'PDF, DOCX, TXT, MD, HTML o CSV, hasta 10 MB cada uno.',
  'Addresses of web pages, one a line': 'Direcciones de páginas web, una por línea',
  'Each is fetched once.': 'Cada una se descarga una vez.',
  'Questions with answers': 'Preguntas con respuestas',
  'Question {index}': 'Pregunta {index}',
  'Answer {index}': 'Respuesta {index}',
  'Add a question': 'Añadir una pregunta',
  'New knowledge base': 'Nueva base de conocimiento',
  'Name of the knowledge base': 'Nombre de la base de conocimiento',
  'Documents, web pages and questions with answers that assistants search during a call.':
    'Documentos, páginas web y preguntas con respuestas que los asistentes buscan durante una llamada.',
  'Assistants answer from their instructions alone. Add prices, opening times or a handbook, then attach the knowledge base to an assistant.':
    'Los asistentes responden solo con sus instrucciones. Añada precios, horarios o un manual y vincule la base a un asistente.',
  'Add to it': 'Añadir',
  Passages: 'Fragmentos',
  'Passages of {name}': 'Fragmentos de {name}',
  '{total}: a search finds these parts, not the whole source.{size}':
    '{total}: una búsqueda encuentra estas partes, no toda la fuente.{size}',
  'The test search found {size} of them.': 'La búsqueda de prueba encontró {size}.',
  'None yet: the source waits to be read.': 'Aún ninguno: la fuente espera a ser leída.',
  'Passage {position}': 'Fragmento {position}',
  'Found, score {score}': 'Encontrado, puntuación {score}',
  'Delete {kbName}': 'Eliminar {kbName}',
  'Delete the knowledge base': 'Eliminar la base de conocimiento',
  'Its files, pages and questions are deleted with it.':
    'Sus archivos, páginas y preguntas se eliminan con ella.',
  'Assistants use it: {users}. Remove it from all of their versions first.':
    'La usan asistentes: {users}. Quítela primero de todas sus versiones.',
  'Remove it, and add the file again.': 'Quítela y añada el archivo de nuevo.',
  'Passages of {name}: {passages}': 'Fragmentos de {name}: {passages}',
  'Read {name} again': 'Leer {name} de nuevo',
  Sources: 'Fuentes',
  'None yet: searches find nothing.': 'Aún ninguna: las búsquedas no encuentran nada.',
  'Test search': 'Búsqueda de prueba',
  'A question of a caller': 'Una pregunta de quien llama',
  Search: 'Buscar',
  'Nothing was found: an assistant would have no answer from here.':
    'No se encontró nada: un asistente no tendría aquí ninguna respuesta.',
  'Score {score}': 'Puntuación {score}',
  'Further sources': 'Más fuentes',
  Previous: 'Anterior',
  'Used by': 'Usado por',
  'Same question': 'Misma pregunta',
  '{name} is attached to the draft. Publish it, and calls use it.':
    '{name} está vinculada al borrador. Publíquelo y las llamadas la usarán.',
  'Attach it to an assistant': 'Vincular a un asistente',
  'No assistant yet': 'Ningún asistente todavía',
  Reading: 'Lectura',
  'Choose the files again.': 'Elija los archivos de nuevo.',
  passage: 'fragmento',
  passages: 'fragmentos',
};
