import type { SentenceForms } from '../../../words/sentence-forms.ts';

/** The descriptions of settings as the service words them; the first that fits counts. */
export const MEANINGS: SentenceForms = [
  ['HTTP port; 0: a free port.', 'Puerto HTTP; 0: un puerto libre.'],
  [
    'Address that HTTP listens on. The default is reachable from this machine only.',
    'Dirección en la que escucha HTTP. El valor predeterminado solo es accesible desde esta máquina.',
  ],
  [
    'Port of /metrics, which HTTP then no longer serves beside the API. Default: beside the API, readable without a key. A process without the role api serves /healthz, /readyz and /metrics there, or at PORT if that is set.',
    'Puerto de /metrics, que HTTP deja entonces de servir junto a la API. Predeterminado: junto a la API, legible sin clave. Un proceso sin el rol api sirve ahí /healthz, /readyz y /metrics, o en PORT si está definido.',
  ],
  ['Address that METRICS_PORT listens on.', 'Dirección en la que escucha METRICS_PORT.'],
  [
    'URL under which clients reach the service; recording links start with it.',
    'URL con la que los clientes llegan al servicio; los enlaces de grabaciones empiezan por ella.',
  ],
  [
    'URL under which carriers reach this process, and no other, with streams of calls and reports on calls that it places. Default: PUBLIC_URL.',
    'URL con la que los operadores llegan a este proceso, y a ningún otro, con flujos de llamadas e informes de las llamadas que hace. Predeterminado: PUBLIC_URL.',
  ],
  ['TCP port for AudioSocket of Asterisk.', 'Puerto TCP para AudioSocket de Asterisk.'],
  [
    'Address that AUDIOSOCKET_PORT listens on. Default: HOST.',
    'Dirección en la que escucha AUDIOSOCKET_PORT. Predeterminado: HOST.',
  ],
  [
    'Reverse proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges.',
    'Proxies inversos en cuyo X-Forwarded-For se confía: direcciones o rangos CIDR.',
  ],
  [
    'Folder of recordings, caches and the embedded database.',
    'Carpeta de grabaciones, cachés y la base de datos integrada.',
  ],
  [
    'Free space on the disk of DATA_DIR below which contact lists, knowledge, recordings and event logs are refused, and below a quarter of which no new calls begin, so that a database on the same disk can still write. Default: 512 with the embedded database, else 0.',
    'Espacio libre en el disco de DATA_DIR por debajo del cual se rechazan listas de contactos, conocimiento, grabaciones y registros de eventos; por debajo de la cuarta parte no empiezan llamadas nuevas, para que una base de datos en el mismo disco aún pueda escribir. Predeterminado: 512 con la base de datos integrada; si no, 0.',
  ],
  [
    'URL of a PostgreSQL to use instead of the embedded one.',
    'URL de un PostgreSQL que se usa en lugar del integrado.',
  ],
  ['SIP port, UDP and TCP; 0: a free port.', 'Puerto SIP, UDP y TCP; 0: un puerto libre.'],
  [
    'Addresses that SIP and RTP bind to, or host names that lead to them, with commas between; 0.0.0.0 binds all IPv4 interfaces, :: all of IPv6 and IPv4. With several, such as one of IPv4 and one of IPv6, RTP of a call binds the one that its trunk is reached from.',
    'Direcciones a las que se enlazan SIP y RTP, o nombres de host que llevan a ellas, separados por comas; 0.0.0.0 enlaza todas las interfaces IPv4, :: todas las de IPv6 e IPv4. Si hay varias, como una de IPv4 y otra de IPv6, el RTP de una llamada usa la que llega a su troncal.',
  ],
  [
    'Address that SIP and SDP announce, when it differs from SIP_HOST (NAT): an IP address, or stun:host[:port] to ask a STUN server at start and every minute. The SIP and RTP ports must be forwarded unchanged.',
    'Dirección que anuncian SIP y SDP cuando es distinta de SIP_HOST (NAT): una dirección IP, o stun:host[:port] para consultar un servidor STUN al arrancar y cada minuto. Los puertos SIP y RTP deben reenviarse sin cambios.',
  ],
  [
    'Networks that reach this machine without NAT, besides those of its interfaces: addresses or CIDR ranges. Trunks and phones there are told the address of this machine instead of PUBLIC_ADDRESS.',
    'Redes que llegan a esta máquina sin NAT, además de las de sus interfaces: direcciones o rangos CIDR. Las troncales y los teléfonos de esas redes reciben la dirección de esta máquina en lugar de PUBLIC_ADDRESS.',
  ],
  [
    'Port of SIP over TLS; 0: a free port. Unset: TLS connections are made, to trunks with transport tls, but not accepted.',
    'Puerto de SIP sobre TLS; 0: un puerto libre. Sin definir: se abren conexiones TLS hacia troncales con transporte tls, pero no se aceptan.',
  ],
  [
    'PEM file of the certificate with its chain, for SIP_TLS_PORT and for carriers that ask for one. A changed file is in use within a minute.',
    'Archivo PEM del certificado con su cadena, para SIP_TLS_PORT y para los operadores que piden uno. Un archivo cambiado se usa en menos de un minuto.',
  ],
  ['PEM file of its private key.', 'Archivo PEM de su clave privada.'],
  [
    'PEM file with authorities that sign the certificates of carriers and PBXs, besides the public ones.',
    'Archivo PEM con las autoridades que firman los certificados de operadores y centralitas, además de las públicas.',
  ],
  [
    'PEM file with authorities: SIP_TLS_PORT then takes only connections with a certificate of theirs.',
    'Archivo PEM con autoridades: SIP_TLS_PORT acepta entonces solo conexiones con un certificado suyo.',
  ],
  [
    'UDP ports for audio: two per call, four during a transfer. After a call its ports stay unused for 30 s.',
    'Puertos UDP para el audio: dos por llamada, cuatro durante una transferencia. Tras una llamada, sus puertos quedan sin usar 30 s.',
  ],
  [
    'Countries and prefixes that this installation may call, such as US,CA,+44; workspaces can only narrow them. Default: every country. Premium and satellite ranges stay closed.',
    'Países y prefijos a los que esta instalación puede llamar, como US,CA,+44; los espacios de trabajo solo pueden reducirlos. Predeterminado: todos los países. Los rangos de tarificación especial y satélite siguen cerrados.',
  ],
  [
    'YAML or JSON file that declares trunks, workspaces, keys and numbers.',
    'Archivo YAML o JSON que declara troncales, espacios de trabajo, claves y números.',
  ],
  ['WhatsApp Business Cloud API, with its version.', 'WhatsApp Business Cloud API, con su versión.'],
  [
    'A WhatsApp message whose answer was lost is sent again if no status proves within this time that it was sent.',
    'Un mensaje de WhatsApp cuya respuesta se perdió se envía de nuevo si en este tiempo ningún estado prueba que se envió.',
  ],
  [
    'Inner hosts, addresses or CIDR ranges that are open, each with what it is open to: llm= for models and voices that workspaces choose, tools= (MCP servers too), webhooks= or knowledge=. tools@<id of a workspace>= opens one to that workspace alone, host:port one port. Without a purpose: llm.',
    'Hosts internos, direcciones o rangos CIDR abiertos, cada uno con su finalidad: llm= para modelos y voces que eligen los espacios de trabajo, tools= (también servidores MCP), webhooks= o knowledge=. tools@<ID de un espacio>= abre uno solo a ese espacio de trabajo, host:port un solo puerto. Sin finalidad: llm.',
  ],
  [
    'How long a link to a recording or to refused rows is valid; every answer of call details and history has a fresh one. 0: as long as the file is kept.',
    'Cuánto vale un enlace a una grabación o a filas rechazadas; cada respuesta con detalles o historial de llamadas trae uno nuevo. 0: mientras se conserve el archivo.',
  ],
  [
    'Retention time of the webhook delivery log.',
    'Tiempo de conservación del registro de entregas de webhooks.',
  ],
  [
    'Whole months whose calls are kept beside the current one, after callwright split-months: older months are dropped with their recordings. 0: all.',
    'Meses enteros cuyas llamadas se conservan además del actual, tras callwright split-months: los meses anteriores se borran con sus grabaciones. 0: todos.',
  ],
  [
    'Mail server for notices, smtp://user:password@mail.example.com:587 (STARTTLS where offered) or smtps://… (TLS); unset: no mail. Workspaces choose the addresses, never the server.',
    'Servidor de correo para avisos, smtp://user:password@mail.example.com:587 (STARTTLS si se ofrece) o smtps://… (TLS); sin definir: no hay correo. Los espacios de trabajo eligen las direcciones, nunca el servidor.',
  ],
  [
    'Sender of the mail, such as Callwright <calls@example.com>. Required with SMTP_URL.',
    'Remitente del correo, como Callwright <calls@example.com>. Obligatorio con SMTP_URL.',
  ],
  [
    'URL of an OpenTelemetry collector or of Langfuse, to which a trace of each conversation is sent by OTLP over HTTP, at /v1/traces below it; unset: no traces.',
    'URL de un recolector de OpenTelemetry o de Langfuse, al que se envía una traza de cada conversación por OTLP sobre HTTP, en /v1/traces; sin definir: no hay trazas.',
  ],
  [
    'Headers of these requests, such as authorization=Basic%20abc,x-tenant=1.',
    'Cabeceras de estas peticiones, como authorization=Basic%20abc,x-tenant=1.',
  ],
  ['Name of this service in its traces.', 'Nombre de este servicio en sus trazas.'],
  [
    'true: traces show what caller and agent said, and arguments and results of tools.',
    'true: las trazas muestran lo que dijeron la persona y el asistente, y los argumentos y resultados de las herramientas.',
  ],
  [
    'API requests kept in the log of each workspace, for 30 days at most. 0: none.',
    'Peticiones de la API que se guardan en el registro de cada espacio de trabajo, 30 días como máximo. 0: ninguna.',
  ],
  [
    'on: a second wall in PostgreSQL lets the API work for a workspace with the rows of that workspace alone. Needs a database user that may create roles.',
    'on: una segunda barrera en PostgreSQL hace que la API trabaje para un espacio de trabajo solo con sus filas. Necesita un usuario de la base de datos que pueda crear roles.',
  ],
  ['Roles of this process.', 'Roles de este proceso.'],
  [
    'How long a stop may take after live calls have ended; then the process exits with code 1.',
    'Cuánto puede tardar la parada tras terminar las llamadas en curso; después el proceso sale con el código 1.',
  ],
  [
    "Whose time the service follows: database, which all processes share and whose steps it follows slowly, or host, this host's wall clock.",
    'Qué hora sigue el servicio: database, que comparten todos los procesos y cuyos saltos sigue poco a poco, o host, el reloj de esta máquina.',
  ],
  ['One of {values}.', 'Uno de estos valores: {values}.'],
  ['Price of a minute of talk time, in credits.', 'Precio de un minuto de conversación, en créditos.'],
  [
    'Talk time is charged in started pulses of this length.',
    'El tiempo de conversación se cobra por fracciones iniciadas de esta duración.',
  ],
  [
    "Price of a reply of the agent's model in a chat, an agent test or a test run, in credits.",
    'Precio de una respuesta del modelo del asistente en un chat, una prueba del asistente o una ejecución de pruebas, en créditos.',
  ],
  [
    'Price of an ended conversation that a model analyses, in credits.',
    'Precio de una conversación terminada que analiza un modelo, en créditos.',
  ],
  [
    'Price of a thousand texts that an embeddings model reads, of knowledge bases and questions of searches, in credits.',
    'Precio de mil textos que lee un modelo de embeddings, de bases de conocimiento y preguntas de búsqueda, en créditos.',
  ],
  [
    "Price of a sentence that a vendor's voice speaks as a preview, in credits.",
    'Precio de una frase que la voz de un proveedor dice como muestra, en créditos.',
  ],
  [
    'Call worker threads. Default: number of cores minus one.',
    'Hilos que llevan llamadas. Predeterminado: número de núcleos menos uno.',
  ],
  [
    'JavaScript heap of one call worker, in MB. A worker that needs more ends with its calls, and another takes its place; the process goes on.',
    'Montón de JavaScript de un trabajador de llamadas, en MB. Uno que necesita más termina con sus llamadas y otro ocupa su lugar; el proceso sigue.',
  ],
  [
    'How long a call rings before it counts as not picked up.',
    'Cuánto suena una llamada antes de contar como no contestada.',
  ],
  [
    'Encrypts stored secrets; all processes on one database need the same key. Default: a key file in DATA_DIR.',
    'Cifra los secretos guardados; todos los procesos de una base de datos necesitan la misma clave. Predeterminado: un archivo de clave en DATA_DIR.',
  ],
  [
    'The key before, for callwright rotate-key alone. Default: the key file in DATA_DIR.',
    'La clave anterior, solo para callwright rotate-key. Predeterminado: el archivo de clave en DATA_DIR.',
  ],
  [
    'Language models in order of preference, of {values}; a call falls back to the next when one fails. The offline script engine always comes last. Default: openai-compatible if LLM_BASE_URL is set, else offline.',
    'Modelos de lenguaje por orden de preferencia, de {values}; si uno falla, la llamada pasa al siguiente. El motor de guiones sin conexión va siempre al final. Predeterminado: openai-compatible si LLM_BASE_URL está definido; si no, offline.',
  ],
  [
    'URL of an OpenAI-compatible chat API, usually with /v1 at its end, for the language model alone. Default: OPENAI_COMPATIBLE_BASE_URL with its key and OPENAI_COMPATIBLE_LLM_MODEL.',
    'URL de una API de chat compatible con OpenAI, normalmente con /v1 al final, solo para el modelo de lenguaje. Predeterminado: OPENAI_COMPATIBLE_BASE_URL con su clave y OPENAI_COMPATIBLE_LLM_MODEL.',
  ],
  ['API key of that chat API.', 'Clave de API de esa API de chat.'],
  ['Model of that chat API.', 'Modelo de esa API de chat.'],
  [
    'YAML or JSON file with the prices of your vendors, for the cost in call details and analytics. Default: list prices.',
    'Archivo YAML o JSON con los precios de sus proveedores, para el coste en los detalles de llamadas y los análisis. Predeterminado: precios de lista.',
  ],
  [
    'Speech recognisers in order of preference, of {values}; a call falls back to the next when one fails. The offline one always comes last.',
    'Reconocedores de voz por orden de preferencia, de {values}; si uno falla, la llamada pasa al siguiente. El que funciona sin conexión va siempre al final.',
  ],
  [
    'Voices in order of preference, of {values}; a call falls back to the next when one fails. The offline ones always come last.',
    'Voces por orden de preferencia, de {values}; si una falla, la llamada pasa a la siguiente. Las que funcionan sin conexión van siempre al final.',
  ],
  [
    'Speech to speech: {values} hear and speak by one model, and a call falls back to the recognisers, language models and voices above when it fails. pipeline: those do it.',
    'Voz a voz: {values} oyen y hablan con un solo modelo; si falla, la llamada pasa a los reconocedores, modelos de lenguaje y voces de arriba. pipeline: lo hacen estos.',
  ],
  ['API key of the embeddings API.', 'Clave de API de la API de embeddings.'],
  [
    'API key of an OpenAI-compatible server, if it needs one.',
    'Clave de API de un servidor compatible con OpenAI, si la necesita.',
  ],
  ['API key of {vendor}.', 'Clave de API de {vendor}.'],
  [
    '{vendor}: the URL, for example of a regional host.',
    '{vendor}: la URL, por ejemplo de un host regional.',
  ],
  ['{vendor}: the URL.', '{vendor}: la URL.'],
  [
    'Deepgram: the model, such as flux-general-en or nova-3. Default: Flux for English and Hindi, else Nova-3.',
    'Deepgram: el modelo, como flux-general-en o nova-3. Predeterminado: Flux para inglés e hindi; si no, Nova-3.',
  ],
  [
    'Deepgram: the voice model of agents that name none, such as aura-2-thalia-en. Default: one with the accent of the language.',
    'Deepgram: el modelo de voz de los asistentes que no nombran ninguno, como aura-2-thalia-en. Predeterminado: uno con el acento del idioma.',
  ],
  [
    'Deepgram: the same, as an id of a voice; it comes before the model.',
    'Deepgram: lo mismo, como ID de una voz; tiene prioridad sobre el modelo.',
  ],
  [
    'AssemblyAI: the model. Default: universal-3-5-pro for its languages, else whisper-rt.',
    'AssemblyAI: el modelo. Predeterminado: universal-3-5-pro para sus idiomas; si no, whisper-rt.',
  ],
  ['{vendor}: the model. Default: {value}.', '{vendor}: el modelo. Predeterminado: {value}.'],
  [
    '{vendor}: the model of the voices. Default: {value}.',
    '{vendor}: el modelo de las voces. Predeterminado: {value}.',
  ],
  [
    '{vendor}: the voice of agents that name none of its voices. Default: {value}.',
    '{vendor}: la voz de los asistentes que no nombran ninguna de sus voces. Predeterminado: {value}.',
  ],
  [
    '{vendor}: id of the voice of agents that name none of its voices. Default: {value}.',
    '{vendor}: ID de la voz de los asistentes que no nombran ninguna de sus voces. Predeterminado: {value}.',
  ],
  [
    '{vendor}: the model of realtime transcription. Default: {value}.',
    '{vendor}: el modelo de transcripción en tiempo real. Predeterminado: {value}.',
  ],
  ['{vendor}: the language model.', '{vendor}: el modelo de lenguaje.'],
  [
    'OpenAI Realtime: the model that hears and speaks. Its voice is that of the agent, or OPENAI_VOICE.',
    'OpenAI Realtime: el modelo que oye y habla. Su voz es la del asistente, o OPENAI_VOICE.',
  ],
  ['{vendor}: the recogniser. Default: {value}.', '{vendor}: el reconocedor. Predeterminado: {value}.'],
  ['{vendor}: the model that hears and speaks.', '{vendor}: el modelo que oye y habla.'],
  ['{vendor}: the voice.', '{vendor}: la voz.'],
  [
    'URL of an OpenAI-compatible server: for transcription (speaches, whisper.cpp, Groq), which hears an utterance at a time, and for language models (vLLM, llama.cpp, Ollama); /v1 is added to a URL without a path.',
    'URL de un servidor compatible con OpenAI: para transcripción (speaches, whisper.cpp, Groq), que oye una intervención cada vez, y para modelos de lenguaje (vLLM, llama.cpp, Ollama); a una URL sin ruta se le añade /v1.',
  ],
  [
    'URL of the server that transcribes, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    'URL del servidor que transcribe, si es otro. Predeterminado: OPENAI_COMPATIBLE_BASE_URL.',
  ],
  [
    'URL of the server that speaks, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    'URL del servidor que habla, si es otro. Predeterminado: OPENAI_COMPATIBLE_BASE_URL.',
  ],
  ['The transcription model of that server.', 'El modelo de transcripción de ese servidor.'],
  [
    'The language model of that server, if LLM_BASE_URL names no other one.',
    'El modelo de lenguaje de ese servidor, si LLM_BASE_URL no nombra otro.',
  ],
  [
    'The model of the voices of that server. Default: kokoro.',
    'El modelo de las voces de ese servidor. Predeterminado: kokoro.',
  ],
  [
    'The voice on that server of agents that name none of its voices. Default: one of Kokoro for the language.',
    'La voz en ese servidor de los asistentes que no nombran ninguna de sus voces. Predeterminado: una de Kokoro para el idioma.',
  ],
  [
    'Languages that it understands, such as en,hi. Default: every one.',
    'Idiomas que entiende, como en,hi. Predeterminado: todos.',
  ],
  [
    'URL of a vosk-server with a model for 16 kHz, such as http://127.0.0.1:2700.',
    'URL de un vosk-server con un modelo para 16 kHz, como http://127.0.0.1:2700.',
  ],
  [
    'Languages of its model, such as en. Default: every one.',
    'Idiomas de su modelo, como en. Predeterminado: todos.',
  ],
  [
    'URL of a streaming server of sherpa-onnx with a model for 16 kHz, such as http://127.0.0.1:6006.',
    'URL de un servidor de streaming de sherpa-onnx con un modelo para 16 kHz, como http://127.0.0.1:6006.',
  ],
  [
    'Folder with a streaming model of sherpa-onnx, which runs in this process instead of a server. Needs the package sherpa-onnx-node.',
    'Carpeta con un modelo de streaming de sherpa-onnx, que funciona en este proceso en lugar de en un servidor. Necesita el paquete sherpa-onnx-node.',
  ],
  [
    'Folder of the models that `callwright models` fetches. Default: callwright/models in the cache of the user ($XDG_CACHE_HOME or ~/.cache), or DATA_DIR/models where that cannot be written.',
    'Carpeta de los modelos que descarga `callwright models`. Predeterminado: callwright/models en la caché del usuario ($XDG_CACHE_HOME o ~/.cache), o DATA_DIR/models si ahí no se puede escribir.',
  ],
  [
    'URL or folder of your own copy of the models, laid out like MODELS_DIR: asked after the official address of a file and before the package that carries it.',
    'URL o carpeta de su propia copia de los modelos, con la estructura de MODELS_DIR: se consulta después de la dirección oficial de un archivo y antes del paquete que lo contiene.',
  ],
  [
    'start: a start fetches in the background what MODELS_DIR lacks of the English pack (247 MB), with which calls hear every word and speak naturally; until then they work as before. Default: start, and off beside scripts/setup.sh, which fetches it.',
    'start: al arrancar se descarga en segundo plano lo que a MODELS_DIR le falta del paquete inglés (247 MB), con el que las llamadas oyen cada palabra y hablan con naturalidad; hasta entonces funcionan como antes. Predeterminado: start, y off junto a scripts/setup.sh, que lo descarga.',
  ],
  [
    'Calls that the recogniser of this machine hears at once; further ones wait, and callers hear busy or RECOGNISER_BUSY_LINE. Default: as many as the machine measures at the start.',
    'Llamadas que el reconocedor de esta máquina oye a la vez; las demás esperan, y quienes llaman oyen la señal de ocupado o RECOGNISER_BUSY_LINE. Predeterminado: las que la máquina mide al arrancar.',
  ],
  [
    'Sentence of at most 300 characters that an inbound caller hears in the voice of the agent, before the call is hung up, while every recogniser of this machine is in use. Default: the caller hears busy (486).',
    'Frase de como máximo 300 caracteres que oye quien llama con la voz del asistente, antes de colgar, mientras todos los reconocedores de esta máquina están en uso. Predeterminado: oye la señal de ocupado (486).',
  ],
  [
    'File of a turn model smart-turn v3 (.onnx), whose judgement of the sound votes beside words, pitch and pause on the end of a turn that the recogniser does not end, or off. Default: the one of the English pack, where its runtime is installed, too.',
    'Archivo de un modelo de turnos smart-turn v3 (.onnx), cuyo juicio del sonido vota, junto a palabras, tono y pausa, sobre el fin de un turno que el reconocedor no termina, u off. Predeterminado: el del paquete inglés, si también está instalado su entorno.',
  ],
  [
    'URL of an OpenAI-compatible embeddings API; it adds semantic search to knowledge bases.',
    'URL de una API de embeddings compatible con OpenAI; añade búsqueda semántica a las bases de conocimiento.',
  ],
  [
    'Embedding model; a change re-embeds all knowledge.',
    'Modelo de embeddings; un cambio vuelve a procesar todo el conocimiento.',
  ],
  [
    'Requested vector length. Default: that of the model.',
    'Longitud de vector que se pide. Predeterminado: la del modelo.',
  ],
  [
    'How long a call waits for the embedding of a question before it uses keyword search alone.',
    'Cuánto espera una llamada el embedding de una pregunta antes de buscar solo por palabras clave.',
  ],
  [
    'URL of an S3-compatible object store to which recordings are uploaded; without it they stay in DATA_DIR.',
    'URL de un almacén de objetos compatible con S3 al que se suben las grabaciones; sin él se quedan en DATA_DIR.',
  ],
  ['Bucket, addressed in path style.', 'Bucket, con direcciones en estilo de ruta.'],
  ['Region used in request signatures.', 'Región que se usa en las firmas de las peticiones.'],
  ['Access key ID.', 'ID de la clave de acceso.'],
  ['Secret access key.', 'Clave de acceso secreta.'],
  ['Prefix of every object key.', 'Prefijo de cada clave de objeto.'],
  [
    'Maximum size in MB of all knowledge of a workspace: files until they are read, then their text.',
    'Tamaño máximo en MB de todo el conocimiento de un espacio de trabajo: los archivos hasta que se leen, después su texto.',
  ],
  ['Maximum number of rows of a contact list.', 'Número máximo de filas de una lista de contactos.'],
  ['Maximum size of a contact list, in MB.', 'Tamaño máximo de una lista de contactos, en MB.'],
  [
    'Maximum size in MB of all contact lists of a workspace that are being uploaded or wait for their import.',
    'Tamaño máximo en MB de todas las listas de contactos de un espacio de trabajo que se están subiendo o esperan su importación.',
  ],
  [
    'MB of recordings that a workspace may store whose limits have no recordings_mb; at the quota its calls are no longer recorded. 0: no quota.',
    'MB de grabaciones que puede guardar un espacio de trabajo cuyos límites no tienen recordings_mb; al llegar a la cuota ya no se graban sus llamadas. 0: sin cuota.',
  ],
  [
    'MB of transcripts, tool logs, analyses and event logs of calls that a workspace may store whose limits have no call_records_mb; at the quota the event logs of its calls are no longer kept. 0: no quota.',
    'MB de transcripciones, registros de herramientas, análisis y registros de eventos de llamadas que puede guardar un espacio de trabajo cuyos límites no tienen call_records_mb; al llegar a la cuota ya no se guardan los registros de eventos de sus llamadas. 0: sin cuota.',
  ],
  [
    'MB of chats that a workspace may store whose limits have no chats_mb; at the quota no chat begins. 0: no quota.',
    'MB de chats que puede guardar un espacio de trabajo cuyos límites no tienen chats_mb; al llegar a la cuota no empieza ningún chat. 0: sin cuota.',
  ],
  [
    'MB of agent tests and results of test runs that a workspace may store whose limits have no tests_mb; at the quota no test begins. 0: no quota.',
    'MB de pruebas de asistentes y resultados de ejecuciones que puede guardar un espacio de trabajo cuyos límites no tienen tests_mb; al llegar a la cuota no empieza ninguna prueba. 0: sin cuota.',
  ],
  [
    'GET requests per minute and workspace; 0: no limit.',
    'Peticiones GET por minuto y espacio de trabajo; 0: sin límite.',
  ],
  [
    'Write requests per minute and workspace; 0: no limit.',
    'Peticiones de escritura por minuto y espacio de trabajo; 0: sin límite.',
  ],
  [
    'Requests that place calls, per minute and workspace; 0: no limit.',
    'Peticiones que hacen llamadas, por minuto y espacio de trabajo; 0: sin límite.',
  ],
  [
    'Browser calls and chats that pages may begin with a public key, per minute and address of the visitor; 0: no limit.',
    'Llamadas y chats del navegador que las páginas pueden iniciar con una clave pública, por minuto y dirección del visitante; 0: sin límite.',
  ],
  ['The same per minute and public key; 0: no limit.', 'Lo mismo por minuto y clave pública; 0: sin límite.'],
  [
    'Longest browser call that a public key begins; the agent may have a lower limit.',
    'Llamada del navegador más larga que inicia una clave pública; el asistente puede tener un límite menor.',
  ],
  [
    'Requests with a wrong key, per minute and address, before further ones get 429; 0: no limit.',
    'Peticiones con una clave incorrecta, por minuto y dirección, antes de que las siguientes reciban 429; 0: sin límite.',
  ],
];
