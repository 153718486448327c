import type { SentenceForms } from '../../../words/sentence-forms.ts';

/** The descriptions of settings as the service words them; the first that fits counts. */
export const MEANINGS: SentenceForms = [
  ['HTTP port; 0: a free port.', 'HTTP पोर्ट; 0: कोई ख़ाली पोर्ट।'],
  [
    'Address that HTTP listens on. The default is reachable from this machine only.',
    'पता जिस पर HTTP सुनता है। डिफ़ॉल्ट केवल इसी मशीन से खुलता है।',
  ],
  [
    'Port of /metrics, which HTTP then no longer serves beside the API. Default: beside the API, readable without a key. A process without the role api serves /healthz, /readyz and /metrics there, or at PORT if that is set.',
    '/metrics का पोर्ट; तब HTTP उसे API के साथ नहीं देता। डिफ़ॉल्ट: API के साथ, बिना कुंजी पढ़ा जा सकता है। api भूमिका के बिना प्रक्रिया वहीं /healthz, /readyz और /metrics देती है, या PORT सेट हो तो उस पर।',
  ],
  ['Address that METRICS_PORT listens on.', 'पता जिस पर METRICS_PORT सुनता है।'],
  [
    'URL under which clients reach the service; recording links start with it.',
    'URL जिससे क्लाइंट सेवा तक पहुँचते हैं; रिकॉर्डिंग के लिंक इसी से शुरू होते हैं।',
  ],
  [
    'URL under which carriers reach this process, and no other, with streams of calls and reports on calls that it places. Default: PUBLIC_URL.',
    'URL जिससे कैरियर इसी प्रक्रिया तक, किसी दूसरी तक नहीं, कॉल की स्ट्रीम और उसकी कॉल की रिपोर्ट पहुँचाते हैं। डिफ़ॉल्ट: PUBLIC_URL।',
  ],
  ['TCP port for AudioSocket of Asterisk.', 'Asterisk के AudioSocket का TCP पोर्ट।'],
  [
    'Address that AUDIOSOCKET_PORT listens on. Default: HOST.',
    'पता जिस पर AUDIOSOCKET_PORT सुनता है। डिफ़ॉल्ट: HOST।',
  ],
  [
    'Reverse proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges.',
    'रिवर्स प्रॉक्सी जिनके X-Forwarded-For पर भरोसा किया जाता है: पते या CIDR रेंज।',
  ],
  ['Folder of recordings, caches and the embedded database.', 'रिकॉर्डिंग, कैश और एम्बेडेड डेटाबेस का फ़ोल्डर।'],
  [
    'Free space on the disk of DATA_DIR below which contact lists, knowledge, recordings and event logs are refused, and below a quarter of which no new calls begin, so that a database on the same disk can still write. Default: 512 with the embedded database, else 0.',
    'DATA_DIR की डिस्क पर ख़ाली जगह जिससे कम होने पर संपर्क सूचियाँ, ज्ञान, रिकॉर्डिंग और इवेंट लॉग अस्वीकार होते हैं; इसके चौथाई से कम होने पर नई कॉल शुरू नहीं होतीं, ताकि उसी डिस्क का डेटाबेस लिखता रहे। डिफ़ॉल्ट: एम्बेडेड डेटाबेस के साथ 512, वरना 0।',
  ],
  [
    'URL of a PostgreSQL to use instead of the embedded one.',
    'एम्बेडेड डेटाबेस की जगह इस्तेमाल होने वाले PostgreSQL का URL।',
  ],
  ['SIP port, UDP and TCP; 0: a free port.', 'SIP पोर्ट, UDP और TCP; 0: कोई ख़ाली पोर्ट।'],
  [
    'Addresses that SIP and RTP bind to, or host names that lead to them, with commas between; 0.0.0.0 binds all IPv4 interfaces, :: all of IPv6 and IPv4. With several, such as one of IPv4 and one of IPv6, RTP of a call binds the one that its trunk is reached from.',
    'पते जिन पर SIP और RTP चलते हैं, या उन तक ले जाने वाले होस्ट नाम, कॉमा से अलग; 0.0.0.0 सभी IPv4 इंटरफ़ेस, :: IPv6 और IPv4 के सभी। कई हों, जैसे एक IPv4 और एक IPv6, तो कॉल का RTP वही लेता है जिससे उसके ट्रंक तक पहुँचा जाता है।',
  ],
  [
    'Address that SIP and SDP announce, when it differs from SIP_HOST (NAT): an IP address, or stun:host[:port] to ask a STUN server at start and every minute. The SIP and RTP ports must be forwarded unchanged.',
    'SIP_HOST से अलग होने पर (NAT) SIP और SDP में बताया जाने वाला पता: कोई IP पता, या stun:host[:port] ताकि शुरू में और हर मिनट STUN सर्वर से पूछा जाए। SIP और RTP पोर्ट बिना बदले फ़ॉरवर्ड होने चाहिए।',
  ],
  [
    'Networks that reach this machine without NAT, besides those of its interfaces: addresses or CIDR ranges. Trunks and phones there are told the address of this machine instead of PUBLIC_ADDRESS.',
    'नेटवर्क जो अपने इंटरफ़ेस के अलावा बिना NAT इस मशीन तक पहुँचते हैं: पते या CIDR रेंज। वहाँ के ट्रंक और फ़ोन को PUBLIC_ADDRESS की जगह इस मशीन का पता मिलता है।',
  ],
  [
    'Port of SIP over TLS; 0: a free port. Unset: TLS connections are made, to trunks with transport tls, but not accepted.',
    'TLS पर SIP का पोर्ट; 0: कोई ख़ाली पोर्ट। सेट न हो: tls ट्रांसपोर्ट वाले ट्रंक से TLS कनेक्शन बनते हैं, पर आने वाले नहीं लिए जाते।',
  ],
  [
    'PEM file of the certificate with its chain, for SIP_TLS_PORT and for carriers that ask for one. A changed file is in use within a minute.',
    'चेन सहित प्रमाणपत्र की PEM फ़ाइल, SIP_TLS_PORT के लिए और उन कैरियर के लिए जो इसे माँगते हैं। बदली हुई फ़ाइल एक मिनट में लागू होती है।',
  ],
  ['PEM file of its private key.', 'उसकी निजी कुंजी की PEM फ़ाइल।'],
  [
    'PEM file with authorities that sign the certificates of carriers and PBXs, besides the public ones.',
    'PEM फ़ाइल जिसमें सार्वजनिक के अलावा कैरियर और PBX के प्रमाणपत्रों पर हस्ताक्षर करने वाली अथॉरिटी हैं।',
  ],
  [
    'PEM file with authorities: SIP_TLS_PORT then takes only connections with a certificate of theirs.',
    'अथॉरिटी वाली PEM फ़ाइल: तब SIP_TLS_PORT केवल उनके प्रमाणपत्र वाले कनेक्शन लेता है।',
  ],
  [
    'UDP ports for audio: two per call, four during a transfer. After a call its ports stay unused for 30 s.',
    'आवाज़ के UDP पोर्ट: हर कॉल के दो, ट्रांसफ़र के दौरान चार। कॉल के बाद उसके पोर्ट 30 से. ख़ाली रहते हैं।',
  ],
  [
    'Countries and prefixes that this installation may call, such as US,CA,+44; workspaces can only narrow them. Default: every country. Premium and satellite ranges stay closed.',
    'देश और प्रीफ़िक्स जिन पर यह इंस्टॉलेशन कॉल कर सकता है, जैसे US,CA,+44; वर्कस्पेस इन्हें केवल घटा सकते हैं। डिफ़ॉल्ट: हर देश। प्रीमियम और सैटेलाइट रेंज बंद रहती हैं।',
  ],
  [
    'YAML or JSON file that declares trunks, workspaces, keys and numbers.',
    'YAML या JSON फ़ाइल जिसमें ट्रंक, वर्कस्पेस, कुंजियाँ और नंबर लिखे हैं।',
  ],
  ['WhatsApp Business Cloud API, with its version.', 'WhatsApp Business Cloud API, वर्शन सहित।'],
  [
    'A WhatsApp message whose answer was lost is sent again if no status proves within this time that it was sent.',
    'जिस WhatsApp संदेश का जवाब खो गया, वह फिर भेजा जाता है अगर इस समय में कोई स्थिति उसके भेजे जाने का प्रमाण न दे।',
  ],
  [
    'Inner hosts, addresses or CIDR ranges that are open, each with what it is open to: llm= for models and voices that workspaces choose, tools= (MCP servers too), webhooks= or knowledge=. tools@<id of a workspace>= opens one to that workspace alone, host:port one port. Without a purpose: llm.',
    'खुले आंतरिक होस्ट, पते या CIDR रेंज, हर एक अपने उद्देश्य के साथ: वर्कस्पेस के चुने मॉडल और आवाज़ों के लिए llm=, tools= (MCP सर्वर भी), webhooks= या knowledge=। tools@<वर्कस्पेस की ID>= केवल उसी वर्कस्पेस के लिए, host:port केवल एक पोर्ट खोलता है। उद्देश्य न हो तो: llm।',
  ],
  [
    'How long a link to a recording or to refused rows is valid; every answer of call details and history has a fresh one. 0: as long as the file is kept.',
    'रिकॉर्डिंग या अस्वीकृत पंक्तियों का लिंक कब तक मान्य है; कॉल के विवरण और इतिहास के हर जवाब में नया लिंक होता है। 0: जब तक फ़ाइल रखी जाती है।',
  ],
  ['Retention time of the webhook delivery log.', 'वेबहुक डिलीवरी लॉग कब तक रखा जाता है।'],
  [
    'Whole months whose calls are kept beside the current one, after callwright split-months: older months are dropped with their recordings. 0: all.',
    'callwright split-months के बाद चालू महीने के अलावा जितने पूरे महीनों की कॉल रखी जाती हैं: पुराने महीने अपनी रिकॉर्डिंग सहित हटते हैं। 0: सभी।',
  ],
  [
    'Mail server for notices, smtp://user:password@mail.example.com:587 (STARTTLS where offered) or smtps://… (TLS); unset: no mail. Workspaces choose the addresses, never the server.',
    'सूचनाओं का मेल सर्वर, smtp://user:password@mail.example.com:587 (उपलब्ध हो तो STARTTLS) या smtps://… (TLS); सेट न हो: कोई मेल नहीं। वर्कस्पेस पते चुनते हैं, सर्वर कभी नहीं।',
  ],
  [
    'Sender of the mail, such as Callwright <calls@example.com>. Required with SMTP_URL.',
    'मेल भेजने वाला, जैसे Callwright <calls@example.com>। SMTP_URL के साथ ज़रूरी।',
  ],
  [
    'URL of an OpenTelemetry collector or of Langfuse, to which a trace of each conversation is sent by OTLP over HTTP, at /v1/traces below it; unset: no traces.',
    'OpenTelemetry कलेक्टर या Langfuse का URL, जिस पर हर बातचीत का ट्रेस HTTP पर OTLP से /v1/traces को जाता है; सेट न हो: कोई ट्रेस नहीं।',
  ],
  [
    'Headers of these requests, such as authorization=Basic%20abc,x-tenant=1.',
    'इन अनुरोधों के हेडर, जैसे authorization=Basic%20abc,x-tenant=1।',
  ],
  ['Name of this service in its traces.', 'ट्रेस में इस सेवा का नाम।'],
  [
    'true: traces show what caller and agent said, and arguments and results of tools.',
    'true: ट्रेस में दिखता है कि व्यक्ति और सहायक ने क्या कहा, और टूल के आर्ग्युमेंट और नतीजे।',
  ],
  [
    'API requests kept in the log of each workspace, for 30 days at most. 0: none.',
    'हर वर्कस्पेस के लॉग में रखे जाने वाले API अनुरोध, अधिक से अधिक 30 दिन। 0: कोई नहीं।',
  ],
  [
    'on: a second wall in PostgreSQL lets the API work for a workspace with the rows of that workspace alone. Needs a database user that may create roles.',
    'on: PostgreSQL में दूसरी दीवार, जिससे API किसी वर्कस्पेस के लिए केवल उसी की पंक्तियों के साथ काम करता है। ऐसा डेटाबेस यूज़र चाहिए जो रोल बना सके।',
  ],
  ['Roles of this process.', 'इस प्रक्रिया की भूमिकाएँ।'],
  [
    'How long a stop may take after live calls have ended; then the process exits with code 1.',
    'चल रही कॉल ख़त्म होने के बाद रुकने में कितना समय लग सकता है; फिर प्रक्रिया कोड 1 के साथ बंद होती है।',
  ],
  [
    "Whose time the service follows: database, which all processes share and whose steps it follows slowly, or host, this host's wall clock.",
    'सेवा किसका समय मानती है: database, जो सभी प्रक्रियाओं का साझा है और जिसके बदलाव धीरे-धीरे अपनाए जाते हैं, या host, इस मशीन की घड़ी।',
  ],
  ['One of {values}.', 'इनमें से एक: {values}।'],
  ['Price of a minute of talk time, in credits.', 'बातचीत के एक मिनट की क़ीमत, क्रेडिट में।'],
  [
    'Talk time is charged in started pulses of this length.',
    'बातचीत का समय इस लंबाई की शुरू हुई पल्स में गिना जाता है।',
  ],
  [
    "Price of a reply of the agent's model in a chat, an agent test or a test run, in credits.",
    'चैट, सहायक के टेस्ट या टेस्ट रन में सहायक के मॉडल के एक जवाब की क़ीमत, क्रेडिट में।',
  ],
  [
    'Price of an ended conversation that a model analyses, in credits.',
    'मॉडल से विश्लेषित एक समाप्त बातचीत की क़ीमत, क्रेडिट में।',
  ],
  [
    'Price of a thousand texts that an embeddings model reads, of knowledge bases and questions of searches, in credits.',
    'एम्बेडिंग मॉडल से पढ़े गए, ज्ञानकोष और खोज के सवालों के, हज़ार टेक्स्ट की क़ीमत, क्रेडिट में।',
  ],
  [
    "Price of a sentence that a vendor's voice speaks as a preview, in credits.",
    'प्रदाता की आवाज़ में सुनाए गए एक नमूना वाक्य की क़ीमत, क्रेडिट में।',
  ],
  [
    'Call worker threads. Default: number of cores minus one.',
    'कॉल चलाने वाले थ्रेड। डिफ़ॉल्ट: कोर की संख्या से एक कम।',
  ],
  [
    'JavaScript heap of one call worker, in MB. A worker that needs more ends with its calls, and another takes its place; the process goes on.',
    'एक कॉल वर्कर का JavaScript हीप, MB में। जिसे ज़्यादा चाहिए वह अपनी कॉल सहित बंद होता है और दूसरा उसकी जगह लेता है; प्रक्रिया चलती रहती है।',
  ],
  [
    'How long a call rings before it counts as not picked up.',
    'कॉल कितनी देर बजने के बाद ‘नहीं उठाई’ मानी जाती है।',
  ],
  [
    'Encrypts stored secrets; all processes on one database need the same key. Default: a key file in DATA_DIR.',
    'सहेजे गए सीक्रेट एन्क्रिप्ट करता है; एक डेटाबेस की सभी प्रक्रियाओं को वही कुंजी चाहिए। डिफ़ॉल्ट: DATA_DIR में एक कुंजी फ़ाइल।',
  ],
  [
    'The key before, for callwright rotate-key alone. Default: the key file in DATA_DIR.',
    'पिछली कुंजी, केवल callwright rotate-key के लिए। डिफ़ॉल्ट: DATA_DIR की कुंजी फ़ाइल।',
  ],
  [
    'Language models in order of preference, of {values}; a call falls back to the next when one fails. The offline script engine always comes last. Default: openai-compatible if LLM_BASE_URL is set, else offline.',
    'पसंद के क्रम में भाषा मॉडल, इनमें से: {values}; एक विफल हो तो कॉल अगले पर जाती है। ऑफ़लाइन स्क्रिप्ट इंजन हमेशा अंत में आता है। डिफ़ॉल्ट: LLM_BASE_URL सेट हो तो openai-compatible, वरना offline।',
  ],
  [
    'URL of an OpenAI-compatible chat API, usually with /v1 at its end, for the language model alone. Default: OPENAI_COMPATIBLE_BASE_URL with its key and OPENAI_COMPATIBLE_LLM_MODEL.',
    'केवल भाषा मॉडल के लिए OpenAI-संगत चैट API का URL, आम तौर पर अंत में /v1। डिफ़ॉल्ट: OPENAI_COMPATIBLE_BASE_URL, उसकी कुंजी और OPENAI_COMPATIBLE_LLM_MODEL।',
  ],
  ['API key of that chat API.', 'उस चैट API की API कुंजी।'],
  ['Model of that chat API.', 'उस चैट API का मॉडल।'],
  [
    'YAML or JSON file with the prices of your vendors, for the cost in call details and analytics. Default: list prices.',
    'आपके प्रदाताओं की क़ीमतों की YAML या JSON फ़ाइल, कॉल के विवरण और विश्लेषण में लागत के लिए। डिफ़ॉल्ट: सूची मूल्य।',
  ],
  [
    'Speech recognisers in order of preference, of {values}; a call falls back to the next when one fails. The offline one always comes last.',
    'पसंद के क्रम में स्पीच पहचान, इनमें से: {values}; एक विफल हो तो कॉल अगले पर जाती है। ऑफ़लाइन वाली हमेशा अंत में आती है।',
  ],
  [
    'Voices in order of preference, of {values}; a call falls back to the next when one fails. The offline ones always come last.',
    'पसंद के क्रम में आवाज़ें, इनमें से: {values}; एक विफल हो तो कॉल अगली पर जाती है। ऑफ़लाइन आवाज़ें हमेशा अंत में आती हैं।',
  ],
  [
    'Speech to speech: {values} hear and speak by one model, and a call falls back to the recognisers, language models and voices above when it fails. pipeline: those do it.',
    'स्पीच-टू-स्पीच: {values} एक ही मॉडल से सुनते और बोलते हैं; विफल होने पर कॉल ऊपर की स्पीच पहचान, भाषा मॉडल और आवाज़ों पर जाती है। pipeline: वही यह काम करते हैं।',
  ],
  ['API key of the embeddings API.', 'एम्बेडिंग API की API कुंजी।'],
  ['API key of an OpenAI-compatible server, if it needs one.', 'OpenAI-संगत सर्वर की API कुंजी, अगर उसे चाहिए।'],
  ['API key of {vendor}.', '{vendor} की API कुंजी।'],
  ['{vendor}: the URL, for example of a regional host.', '{vendor}: URL, उदाहरण के लिए किसी क्षेत्रीय होस्ट का।'],
  ['{vendor}: the URL.', '{vendor}: URL।'],
  [
    'Deepgram: the model, such as flux-general-en or nova-3. Default: Flux for English and Hindi, else Nova-3.',
    'Deepgram: मॉडल, जैसे flux-general-en या nova-3। डिफ़ॉल्ट: अंग्रेज़ी और हिन्दी के लिए Flux, वरना Nova-3।',
  ],
  [
    'Deepgram: the voice model of agents that name none, such as aura-2-thalia-en. Default: one with the accent of the language.',
    'Deepgram: उन सहायकों का आवाज़ मॉडल जिनमें कोई नहीं चुना है, जैसे aura-2-thalia-en। डिफ़ॉल्ट: भाषा के लहजे वाला।',
  ],
  [
    'Deepgram: the same, as an id of a voice; it comes before the model.',
    'Deepgram: वही, आवाज़ की ID के रूप में; यह मॉडल से पहले मानी जाती है।',
  ],
  [
    'AssemblyAI: the model. Default: universal-3-5-pro for its languages, else whisper-rt.',
    'AssemblyAI: मॉडल। डिफ़ॉल्ट: अपनी भाषाओं के लिए universal-3-5-pro, वरना whisper-rt।',
  ],
  ['{vendor}: the model. Default: {value}.', '{vendor}: मॉडल। डिफ़ॉल्ट: {value}।'],
  ['{vendor}: the model of the voices. Default: {value}.', '{vendor}: आवाज़ों का मॉडल। डिफ़ॉल्ट: {value}।'],
  [
    '{vendor}: the voice of agents that name none of its voices. Default: {value}.',
    '{vendor}: उन सहायकों की आवाज़ जिनमें इसकी कोई आवाज़ नहीं चुनी है। डिफ़ॉल्ट: {value}।',
  ],
  [
    '{vendor}: id of the voice of agents that name none of its voices. Default: {value}.',
    '{vendor}: उन सहायकों की आवाज़ की ID जिनमें इसकी कोई आवाज़ नहीं चुनी है। डिफ़ॉल्ट: {value}।',
  ],
  [
    '{vendor}: the model of realtime transcription. Default: {value}.',
    '{vendor}: रीयल-टाइम ट्रांसक्रिप्शन का मॉडल। डिफ़ॉल्ट: {value}।',
  ],
  ['{vendor}: the language model.', '{vendor}: भाषा मॉडल।'],
  [
    'OpenAI Realtime: the model that hears and speaks. Its voice is that of the agent, or OPENAI_VOICE.',
    'OpenAI Realtime: सुनने और बोलने वाला मॉडल। इसकी आवाज़ सहायक वाली है, या OPENAI_VOICE।',
  ],
  ['{vendor}: the recogniser. Default: {value}.', '{vendor}: स्पीच पहचान। डिफ़ॉल्ट: {value}।'],
  ['{vendor}: the model that hears and speaks.', '{vendor}: सुनने और बोलने वाला मॉडल।'],
  ['{vendor}: the voice.', '{vendor}: आवाज़।'],
  [
    'URL of an OpenAI-compatible server: for transcription (speaches, whisper.cpp, Groq), which hears an utterance at a time, and for language models (vLLM, llama.cpp, Ollama); /v1 is added to a URL without a path.',
    'OpenAI-संगत सर्वर का URL: ट्रांसक्रिप्शन (speaches, whisper.cpp, Groq) के लिए, जो एक बार में एक कथन सुनता है, और भाषा मॉडल (vLLM, llama.cpp, Ollama) के लिए; बिना पाथ के URL में /v1 जुड़ता है।',
  ],
  [
    'URL of the server that transcribes, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    'ट्रांसक्रिप्शन वाले सर्वर का URL, अगर वह अलग है। डिफ़ॉल्ट: OPENAI_COMPATIBLE_BASE_URL।',
  ],
  [
    'URL of the server that speaks, where it is another one. Default: OPENAI_COMPATIBLE_BASE_URL.',
    'बोलने वाले सर्वर का URL, अगर वह अलग है। डिफ़ॉल्ट: OPENAI_COMPATIBLE_BASE_URL।',
  ],
  ['The transcription model of that server.', 'उस सर्वर का ट्रांसक्रिप्शन मॉडल।'],
  [
    'The language model of that server, if LLM_BASE_URL names no other one.',
    'उस सर्वर का भाषा मॉडल, अगर LLM_BASE_URL में कोई दूसरा न हो।',
  ],
  ['The model of the voices of that server. Default: kokoro.', 'उस सर्वर की आवाज़ों का मॉडल। डिफ़ॉल्ट: kokoro।'],
  [
    'The voice on that server of agents that name none of its voices. Default: one of Kokoro for the language.',
    'उस सर्वर पर उन सहायकों की आवाज़ जिनमें इसकी कोई आवाज़ नहीं चुनी है। डिफ़ॉल्ट: भाषा के लिए Kokoro की एक आवाज़।',
  ],
  [
    'Languages that it understands, such as en,hi. Default: every one.',
    'भाषाएँ जो यह समझता है, जैसे en,hi। डिफ़ॉल्ट: सभी।',
  ],
  [
    'URL of a vosk-server with a model for 16 kHz, such as http://127.0.0.1:2700.',
    '16 kHz मॉडल वाले vosk-server का URL, जैसे http://127.0.0.1:2700।',
  ],
  ['Languages of its model, such as en. Default: every one.', 'इसके मॉडल की भाषाएँ, जैसे en। डिफ़ॉल्ट: सभी।'],
  [
    'URL of a streaming server of sherpa-onnx with a model for 16 kHz, such as http://127.0.0.1:6006.',
    '16 kHz मॉडल वाले sherpa-onnx स्ट्रीमिंग सर्वर का URL, जैसे http://127.0.0.1:6006।',
  ],
  [
    'Folder with a streaming model of sherpa-onnx, which runs in this process instead of a server. Needs the package sherpa-onnx-node.',
    'sherpa-onnx के स्ट्रीमिंग मॉडल का फ़ोल्डर, जो सर्वर की जगह इसी प्रक्रिया में चलता है। पैकेज sherpa-onnx-node चाहिए।',
  ],
  [
    'Folder of the models that `callwright models` fetches. Default: callwright/models in the cache of the user ($XDG_CACHE_HOME or ~/.cache), or DATA_DIR/models where that cannot be written.',
    'उन मॉडल का फ़ोल्डर जिन्हें `callwright models` लाता है। डिफ़ॉल्ट: यूज़र के कैश ($XDG_CACHE_HOME या ~/.cache) में callwright/models, या वहाँ लिखा न जा सके तो DATA_DIR/models।',
  ],
  [
    'URL or folder of your own copy of the models, laid out like MODELS_DIR: asked after the official address of a file and before the package that carries it.',
    'मॉडल की आपकी अपनी कॉपी का URL या फ़ोल्डर, MODELS_DIR जैसी बनावट में: फ़ाइल के आधिकारिक पते के बाद और उसे रखने वाले पैकेज से पहले देखा जाता है।',
  ],
  [
    'start: a start fetches in the background what MODELS_DIR lacks of the English pack (247 MB), with which calls hear every word and speak naturally; until then they work as before. Default: start, and off beside scripts/setup.sh, which fetches it.',
    'start: शुरू होने पर अंग्रेज़ी पैक (247 MB) का जो हिस्सा MODELS_DIR में नहीं है वह पृष्ठभूमि में आता है; इससे कॉल हर शब्द सुनती और स्वाभाविक बोलती हैं; तब तक वे पहले जैसी चलती हैं। डिफ़ॉल्ट: start, और scripts/setup.sh के साथ off, जो इसे ख़ुद लाता है।',
  ],
  [
    'Calls that the recogniser of this machine hears at once; further ones wait, and callers hear busy or RECOGNISER_BUSY_LINE. Default: as many as the machine measures at the start.',
    'इस मशीन की स्पीच पहचान एक साथ कितनी कॉल सुनती है; बाक़ी रुकती हैं, और कॉल करने वाले व्यस्त टोन या RECOGNISER_BUSY_LINE सुनते हैं। डिफ़ॉल्ट: जितनी मशीन शुरू में नापती है।',
  ],
  [
    'Sentence of at most 300 characters that an inbound caller hears in the voice of the agent, before the call is hung up, while every recogniser of this machine is in use. Default: the caller hears busy (486).',
    'अधिक से अधिक 300 अक्षरों का वाक्य, जो इस मशीन की हर स्पीच पहचान व्यस्त होने पर कॉल करने वाला, कॉल कटने से पहले, सहायक की आवाज़ में सुनता है। डिफ़ॉल्ट: व्यस्त टोन (486)।',
  ],
  [
    'File of a turn model smart-turn v3 (.onnx), whose judgement of the sound votes beside words, pitch and pause on the end of a turn that the recogniser does not end, or off. Default: the one of the English pack, where its runtime is installed, too.',
    'smart-turn v3 टर्न मॉडल की फ़ाइल (.onnx), जो शब्द, सुर और ठहराव के साथ आवाज़ से तय करती है कि बारी ख़त्म हुई, जब स्पीच पहचान उसे ख़त्म न करे; या off। डिफ़ॉल्ट: अंग्रेज़ी पैक वाला, अगर उसका रनटाइम भी इंस्टॉल है।',
  ],
  [
    'URL of an OpenAI-compatible embeddings API; it adds semantic search to knowledge bases.',
    'OpenAI-संगत एम्बेडिंग API का URL; इससे ज्ञानकोष में अर्थ से खोज होती है।',
  ],
  ['Embedding model; a change re-embeds all knowledge.', 'एम्बेडिंग मॉडल; बदलने पर सारा ज्ञान फिर से एम्बेड होता है।'],
  ['Requested vector length. Default: that of the model.', 'माँगी गई वेक्टर लंबाई। डिफ़ॉल्ट: मॉडल वाली।'],
  [
    'How long a call waits for the embedding of a question before it uses keyword search alone.',
    'सवाल की एम्बेडिंग के लिए कॉल कितना रुकती है, इससे पहले कि केवल कीवर्ड से खोजे।',
  ],
  [
    'URL of an S3-compatible object store to which recordings are uploaded; without it they stay in DATA_DIR.',
    'S3-संगत ऑब्जेक्ट स्टोर का URL, जिसमें रिकॉर्डिंग अपलोड होती हैं; इसके बिना वे DATA_DIR में रहती हैं।',
  ],
  ['Bucket, addressed in path style.', 'बकेट, पाथ शैली के पते से।'],
  ['Region used in request signatures.', 'अनुरोधों के हस्ताक्षर में इस्तेमाल होने वाला क्षेत्र।'],
  ['Access key ID.', 'एक्सेस कुंजी की ID।'],
  ['Secret access key.', 'गुप्त एक्सेस कुंजी।'],
  ['Prefix of every object key.', 'हर ऑब्जेक्ट कुंजी का प्रीफ़िक्स।'],
  [
    'Maximum size in MB of all knowledge of a workspace: files until they are read, then their text.',
    'वर्कस्पेस के सारे ज्ञान का अधिकतम आकार, MB में: पढ़े जाने तक फ़ाइलें, फिर उनका टेक्स्ट।',
  ],
  ['Maximum number of rows of a contact list.', 'संपर्क सूची में अधिकतम पंक्तियाँ।'],
  ['Maximum size of a contact list, in MB.', 'संपर्क सूची का अधिकतम आकार, MB में।'],
  [
    'Maximum size in MB of all contact lists of a workspace that are being uploaded or wait for their import.',
    'वर्कस्पेस की उन सभी संपर्क सूचियों का अधिकतम आकार, MB में, जो अपलोड हो रही हैं या इंपोर्ट की राह देख रही हैं।',
  ],
  [
    'MB of recordings that a workspace may store whose limits have no recordings_mb; at the quota its calls are no longer recorded. 0: no quota.',
    'MB में रिकॉर्डिंग जो वह वर्कस्पेस रख सकता है जिसकी सीमाओं में recordings_mb नहीं है; कोटा पूरा होने पर उसकी कॉल रिकॉर्ड नहीं होतीं। 0: कोई कोटा नहीं।',
  ],
  [
    'MB of transcripts, tool logs, analyses and event logs of calls that a workspace may store whose limits have no call_records_mb; at the quota the event logs of its calls are no longer kept. 0: no quota.',
    'MB में कॉल की ट्रांसक्रिप्ट, टूल लॉग, विश्लेषण और इवेंट लॉग जो वह वर्कस्पेस रख सकता है जिसकी सीमाओं में call_records_mb नहीं है; कोटा पूरा होने पर उसकी कॉल के इवेंट लॉग नहीं रखे जाते। 0: कोई कोटा नहीं।',
  ],
  [
    'MB of chats that a workspace may store whose limits have no chats_mb; at the quota no chat begins. 0: no quota.',
    'MB में चैट जो वह वर्कस्पेस रख सकता है जिसकी सीमाओं में chats_mb नहीं है; कोटा पूरा होने पर कोई चैट शुरू नहीं होती। 0: कोई कोटा नहीं।',
  ],
  [
    'MB of agent tests and results of test runs that a workspace may store whose limits have no tests_mb; at the quota no test begins. 0: no quota.',
    'MB में सहायक के टेस्ट और टेस्ट रन के नतीजे जो वह वर्कस्पेस रख सकता है जिसकी सीमाओं में tests_mb नहीं है; कोटा पूरा होने पर कोई टेस्ट शुरू नहीं होता। 0: कोई कोटा नहीं।',
  ],
  ['GET requests per minute and workspace; 0: no limit.', 'हर मिनट और वर्कस्पेस के GET अनुरोध; 0: कोई सीमा नहीं।'],
  [
    'Write requests per minute and workspace; 0: no limit.',
    'हर मिनट और वर्कस्पेस के लिखने वाले अनुरोध; 0: कोई सीमा नहीं।',
  ],
  [
    'Requests that place calls, per minute and workspace; 0: no limit.',
    'कॉल लगाने वाले अनुरोध, हर मिनट और वर्कस्पेस के; 0: कोई सीमा नहीं।',
  ],
  [
    'Browser calls and chats that pages may begin with a public key, per minute and address of the visitor; 0: no limit.',
    'ब्राउज़र कॉल और चैट जो पेज सार्वजनिक कुंजी से शुरू कर सकते हैं, हर मिनट और आगंतुक के पते के हिसाब से; 0: कोई सीमा नहीं।',
  ],
  [
    'The same per minute and public key; 0: no limit.',
    'वही, हर मिनट और सार्वजनिक कुंजी के हिसाब से; 0: कोई सीमा नहीं।',
  ],
  [
    'Longest browser call that a public key begins; the agent may have a lower limit.',
    'सार्वजनिक कुंजी से शुरू हुई सबसे लंबी ब्राउज़र कॉल; सहायक की सीमा इससे कम हो सकती है।',
  ],
  [
    'Requests with a wrong key, per minute and address, before further ones get 429; 0: no limit.',
    'ग़लत कुंजी वाले अनुरोध, हर मिनट और पते के हिसाब से, जिनके बाद अगले को 429 मिलता है; 0: कोई सीमा नहीं।',
  ],
];
