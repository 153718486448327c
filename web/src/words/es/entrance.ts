import type { Catalogue } from '../catalogue.ts';

export const WORDS: Catalogue = {
  'First run': 'Primer inicio',
  'This installation has an owner': 'Esta instalación tiene un propietario',
  'The link worked once. Other people join by invitation.':
    'El enlace funcionó una vez. Las demás personas entran por invitación.',
  'Go to sign in': 'Ir a iniciar sesión',
  'Open the printed link': 'Abra el enlace mostrado',
  '{code} prints a link to this page with a secret after the {code2}. Only someone who can read that output can create the first owner. The link works for 24 hours; {code3} prints a new one.':
    '{code} muestra un enlace a esta página con un secreto tras {code2}. Solo quien puede leer esa salida puede crear el primer propietario. El enlace vale 24 horas; {code3} muestra otro.',
  'Create the first owner': 'Crear el primer propietario',
  'You will own every workspace of this installation that has no owner.':
    'Será propietario de todos los espacios de trabajo de esta instalación sin propietario.',
  'Create owner and sign in': 'Crear propietario e iniciar sesión',
  'Open the whole link': 'Abra el enlace completo',
  'The part of the link after the # is missing. Copy it from the message again.':
    'Falta la parte del enlace tras #. Cópielo de nuevo del mensaje.',
  'Ask an owner of the workspace for a new link.':
    'Pida un enlace nuevo a un propietario del espacio de trabajo.',
  'Join {workspace}': 'Unirse a {workspace}',
  'The invitation is for {email}. {NOTES}': 'La invitación es para {email}. {NOTES}',
  'Sign in as {email}': 'Iniciar sesión como {email}',
  Join: 'Unirse',
  'The password is set': 'La contraseña se ha establecido',
  'Set a new password': 'Establecer una contraseña nueva',
  'At least 10 characters. All your sessions end.': 'Al menos 10 caracteres. Terminan todas sus sesiones.',
  'Set the password': 'Establecer la contraseña',
  'This installation has no account yet. Open the link that {code} prints to create the first owner.':
    'Esta instalación aún no tiene cuentas. Abra el enlace que muestra {code} para crear el primer propietario.',
  'You will be an owner: you manage members, the API key and everything else.':
    'Será propietario: gestiona los miembros, la clave de API y todo lo demás.',
  'You will be a manager: you change assistants and campaigns and place calls.':
    'Será gestor: cambia asistentes y campañas y hace llamadas.',
  'You will be a viewer: you see everything and change nothing.': 'Será lector: ve todo y no cambia nada.',
};
