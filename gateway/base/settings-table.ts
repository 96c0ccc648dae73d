import { resolve } from 'node:path'
import {
  anyText,
  clusterName,
  confirmations,
  ifSet,
  integer,
  matching,
  networks,
  originOf,
  type Parse,
  replicas,
  urls,
  wordOf,
  workers,
} from './setting-forms.ts'

export type LogLevel = (typeof logLevels)[number]
export type TraceSampler = (typeof traceSamplers)[number]
const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The settings as the documentation lists them: name, default, meaning in English and Portuguese, and how a value is read. */
export const settingTable = {
  HOST: entry('127.0.0.1', 'Address to listen on.', 'Endereço em que o serviço escuta.', (text) =>
    text.trim() === text && text !== '' ? text : null,
  ),
  PORT: entry(
    '8080',
    'Port of the API; 0 takes any free one.',
    'Porta da API; 0 escolhe qualquer porta livre.',
    integer(0, 65_535),
  ),
  ADMIN_PORT: entry(
    '0',
    'Port of the loopback admin listener; 0 takes any free one.',
    'Porta do listener administrativo, só no loopback; 0 escolhe qualquer porta livre.',
    integer(0, 65_535),
  ),
  METRICS_TOKEN: entry(
    '',
    'A token of 16 characters or more that may read /metrics at the admin listener.',
    'Um token de 16 caracteres ou mais que pode ler /metrics no listener administrativo.',
    anyText,
  ),
  METRICS_TOKEN_FILE: entry(
    '',
    'The same in a file, read again at every scrape.',
    'O mesmo em um arquivo, lido de novo a cada coleta.',
    ifSet(resolve),
  ),
  DATA_DIR: entry('./data', 'Where everything is kept.', 'Onde tudo é guardado.', (text) =>
    text === '' ? null : resolve(text),
  ),
  WORKERS: entry(
    'auto',
    'Threads that serve requests; auto is one less than the cores, at most 4.',
    'Threads que atendem requisições; auto é uma a menos que os núcleos, no máximo 4.',
    workers,
  ),
  SHARDS: entry(
    '',
    'Number of shards (1 to 256), fixed when the data directory is created; by default one for each worker then.',
    'Número de shards (1 a 256), fixado quando o diretório de dados é criado; por padrão, um para cada worker daquele momento.',
    ifSet(integer(1, 256)),
  ),
  HOT_STATES: entry(
    '20000',
    'How many states of transactions and deliveries each shard keeps in memory, about 3 kB each, and as much again for one that is read.',
    'Quantos estados de transações e entregas cada shard mantém em memória, cerca de 3 kB cada, e outro tanto por um que é lido.',
    integer(1, 10_000_000),
  ),
  MEMORY_MB: entry(
    '384',
    'Memory for the columns that lists, searches and look-ups read, in MiB, in equal parts for all shards; what was not used for longest is read from the disk again.',
    'Memória para as colunas que listas, buscas e consultas leem, em MiB, em partes iguais para todos os shards; o que não é usado há mais tempo é lido do disco de novo.',
    integer(16, 1_000_000),
  ),
  ARCHIVE_DIR: entry(
    '',
    'Where the old part of the journals is packed to, a folder for each shard; by default in the data directory. To move it, move its folders and set this.',
    'Para onde vai a parte antiga dos diários, compactada, com uma pasta por shard; por padrão, no diretório de dados. Para mudar de lugar, mova as pastas e ajuste este valor.',
    ifSet(resolve),
  ),
  ARCHIVE_AFTER_DAYS: entry(
    '',
    'Age in days, 3 or more, from which on entries of the journals are packed; without it only `payments archive run` packs.',
    'Idade em dias, 3 ou mais, a partir da qual as entradas dos diários são compactadas; sem isso, só `payments archive run` compacta.',
    ifSet(integer(3, 36_500)),
  ),
  ARCHIVE_DISK_PERCENT: entry(
    '',
    'Use of the disk of the data directory in percent from which on all entries older than 3 days are packed.',
    'Uso do disco do diretório de dados, em porcentagem, a partir do qual são compactadas todas as entradas com mais de 3 dias.',
    ifSet(integer(1, 100)),
  ),
  KEY_LOG_ENTRIES: entry(
    '500',
    'How many of its newest requests each API key’s page shows, kept in memory by each thread; 0 keeps none.',
    'Quantas das requisições mais recentes a página de cada chave de API mostra, mantidas em memória por cada thread; 0 não mantém nenhuma.',
    integer(0, 100_000),
  ),
  LOG_LEVEL: entry(
    'info',
    `One of ${logLevels.join(', ')}.`,
    'Um entre fatal, error, warn, info, debug, trace, silent.',
    wordOf(logLevels),
  ),
  LOG_FORMAT: entry(
    'auto',
    'pretty (for people), json, or auto: pretty where it goes to a terminal.',
    'pretty (para pessoas), json, ou auto: pretty quando vai para um terminal.',
    wordOf(['auto', 'pretty', 'json']),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: entry(
    '',
    'Where traces are sent by OTLP over HTTP (as JSON, to /v1/traces below it); without it none are made.',
    'Para onde os traces são enviados por OTLP sobre HTTP (em JSON, para /v1/traces abaixo dele); sem isso nenhum é feito.',
    ifSet(matching(/^https?:\/\/[^\s/]/)),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: entry(
    '',
    'Headers that go with them: name=value, by commas.',
    'Cabeçalhos que os acompanham: nome=valor, separados por vírgulas.',
    anyText,
  ),
  OTEL_SERVICE_NAME: entry(
    'payments',
    'The name of the service in traces.',
    'O nome do serviço nos traces.',
    anyText,
  ),
  OTEL_RESOURCE_ATTRIBUTES: entry(
    '',
    'What else traces say about the service: name=value, by commas.',
    'O que mais os traces dizem do serviço: nome=valor, separados por vírgulas.',
    anyText,
  ),
  OTEL_TRACES_SAMPLER: entry(
    'parentbased_always_on',
    `Which requests are traced: one of ${traceSamplers.join(', ')}.`,
    'Quais requisições são rastreadas: um entre always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio.',
    wordOf(traceSamplers),
  ),
  OTEL_TRACES_SAMPLER_ARG: entry(
    '1',
    'The share of them, from 0 to 1, of a sampler by ratio.',
    'A parte delas, de 0 a 1, em um amostrador por proporção.',
    (text) => (/^(0|1|[01]?\.[0-9]+)$/.test(text) && Number(text) <= 1 ? Number(text) : null),
  ),
  TLS_CERT_FILE: entry(
    '',
    'PEM certificate chain, for HTTPS without a proxy; with TLS_KEY_FILE.',
    'Cadeia de certificados PEM, para HTTPS sem proxy; junto com TLS_KEY_FILE.',
    anyText,
  ),
  TLS_KEY_FILE: entry('', 'PEM private key.', 'Chave privada PEM.', anyText),
  PUBLIC_URL: entry(
    '',
    'Origin under which callers reach the service, such as https://pay.example.com: errors link to its documentation.',
    'Origem pela qual o serviço é alcançado, como https://pay.example.com: os erros apontam para a documentação dele.',
    ifSet(originOf),
  ),
  CHECKOUT_ORIGIN: entry(
    '',
    'Origin of the pages where payers pay, such as https://checkout.example.com: a host of their own, which leads to this service too. Without it, a service without PUBLIC_URL has them at http://pay.localhost and its port; any other has none.',
    'Origem das páginas em que se paga, como https://checkout.example.com: um host só delas, que também leva a este serviço. Sem ela, um serviço sem PUBLIC_URL as tem em http://pay.localhost com a sua porta; qualquer outro não as tem.',
    ifSet(originOf),
  ),
  TOKENIZER_ORIGIN: entry(
    '',
    'Origin of the frame in which payers type their cards, a host of its own that leads to this service too. Without it, a service without PUBLIC_URL has it at http://cards.localhost and its port; the pages of any other take no cards.',
    'Origem do quadro em que se digita o cartão, um host só dele que também leva a este serviço. Sem ela, um serviço sem PUBLIC_URL o tem em http://cards.localhost com a sua porta; as páginas de qualquer outro não aceitam cartão.',
    ifSet(originOf),
  ),
  SECURITY_CONTACT: entry(
    '',
    'Where those who find a weakness write, by commas: mailto:security@example.com or https://…; it is what /.well-known/security.txt says, which is not served without it.',
    'Para onde escreve quem encontra uma falha de segurança, separados por vírgula: mailto:seguranca@example.com ou https://…; é o que /.well-known/security.txt mostra, e sem ele esse arquivo não é servido.',
    urls(/^(mailto:[^\s@,]+@[^\s@,]+|https:\/\/[^\s/]\S*)$/),
  ),
  TRANSPORT: entry(
    'auto',
    'uws (native), node (node:http), or auto: uws where a build loads that answers every request.',
    'uws (nativo), node (node:http), ou auto: uws onde carrega uma versão que responde a toda requisição.',
    wordOf(['auto', 'uws', 'node']),
  ),
  KEEP_ALIVE: entry(
    'safe',
    'always keeps connections open after reads over any native library: for a service behind nginx or HAProxy, or reached directly (see Security).',
    'always mantém abertas as conexões depois de leituras com qualquer biblioteca nativa: para um serviço atrás de nginx ou HAProxy, ou acessado diretamente (veja Segurança).',
    wordOf(['safe', 'always']),
  ),
  RATE_LIMIT: entry(
    '1000',
    'Requests a second for each API key; 0 is no limit, nor is there one for people then, who have 50.',
    'Requisições por segundo para cada chave de API; 0 é sem limite, também para pessoas, que têm 50.',
    integer(0, 1_000_000),
  ),
  RATE_LIMIT_BURST: entry(
    '2000',
    'Requests of one key at once, before the limit holds.',
    'Requisições de uma chave de uma só vez, antes que o limite valha.',
    integer(1, 10_000_000),
  ),
  RATE_LIMIT_EXPORT: entry(
    '10',
    'Exports a minute for each key; 0 limits nothing.',
    'Exportações por minuto para cada chave; 0 não limita nada.',
    integer(0, 1_000_000),
  ),
  PIX_ISPB: entry(
    '99999999',
    'ISPB of the institution: eight characters, part of end-to-end ids.',
    'ISPB da instituição: oito caracteres, parte dos identificadores fim a fim.',
    matching(/^[0-9A-Z]{8}$/),
  ),
  PIX_LOCATION: entry(
    'pix.example.com/qr/v2',
    'Host and path in QR codes, without https://.',
    'Host e caminho nos QR Codes, sem https://.',
    (text) => (/^[a-z0-9.-]+(\/[A-Za-z0-9._-]+)*$/.test(text) && text.length <= 38 ? text : null),
  ),
  CRYPTO_TOLERANCE_BPS: entry(
    '50',
    'How many basis points less than its amount approve a charge in a stablecoin: 0 to 200.',
    'Quantos pontos-base a menos que o valor aprovam uma cobrança em stablecoin: de 0 a 200.',
    integer(0, 200),
  ),
  CRYPTO_CONFIRMATIONS: entry(
    'TRON=20,ETHEREUM=64,POLYGON=128,BASE=64,SOLANA=32',
    'How many confirmations make a transfer of a stablecoin final, by network: NETWORK=1 to 10000, by commas; the others as here.',
    'Quantas confirmações tornam final uma transferência de stablecoin, por rede: REDE=1 a 10000, separadas por vírgulas; as demais ficam como aqui.',
    confirmations,
  ),
  NATS_URL: entry(
    '',
    'Addresses of NATS servers (nats:// or tls://, without a user), by commas: public events go through a JetStream stream on them.',
    'Endereços de servidores NATS (nats:// ou tls://, sem usuário), separados por vírgulas: os eventos públicos passam por um stream JetStream neles.',
    urls(/^(nats|tls):\/\/[^\s/@]+$/),
  ),
  NATS_USER: entry(
    '',
    'User name for NATS; with NATS_PASSWORD.',
    'Usuário do NATS; junto com NATS_PASSWORD.',
    anyText,
  ),
  NATS_PASSWORD: entry('', 'Password for NATS.', 'Senha do NATS.', anyText),
  NATS_CREDS_FILE: entry(
    '',
    'Credentials file (JWT and seed) for NATS.',
    'Arquivo de credenciais (JWT e seed) do NATS.',
    anyText,
  ),
  NATS_NKEY_FILE: entry(
    '',
    'File with the seed of an nkey for NATS.',
    'Arquivo com a seed de uma nkey do NATS.',
    anyText,
  ),
  NATS_CA_FILE: entry(
    '',
    'PEM certificates by which the NATS servers are trusted.',
    'Certificados PEM pelos quais os servidores NATS são reconhecidos.',
    anyText,
  ),
  NATS_CERT_FILE: entry(
    '',
    'PEM certificate of this service for NATS; with NATS_KEY_FILE.',
    'Certificado PEM deste serviço para o NATS; junto com NATS_KEY_FILE.',
    anyText,
  ),
  NATS_KEY_FILE: entry(
    '',
    'PEM private key for NATS_CERT_FILE.',
    'Chave privada PEM de NATS_CERT_FILE.',
    anyText,
  ),
  NATS_EVENTS: entry(
    'true',
    'Whether events are published on NATS (the stream PAY_EVENTS). Webhooks do not need it; what happens while it is false is not published later.',
    'Se os eventos são publicados no NATS (o stream PAY_EVENTS). Os webhooks não precisam disso; o que acontece enquanto for false não é publicado depois.',
    wordOf(['true', 'false']),
  ),
  NATS_REPLICAS: entry(
    '',
    'On how many servers the event stream is kept: 1, 3 or 5; by default 1, in a cluster as many as CLUSTER_REPLICAS.',
    'Em quantos servidores o stream de eventos é guardado: 1, 3 ou 5; por padrão 1, em um cluster tantos quantos CLUSTER_REPLICAS.',
    ifSet(replicas),
  ),
  NATS_MAX_AGE_DAYS: entry(
    '30',
    'How many days the event stream keeps events; 0 for ever.',
    'Por quantos dias o stream guarda eventos; 0 para sempre.',
    integer(0, 3650),
  ),
  NATS_MAX_BYTES: entry(
    '0',
    'How many bytes of events the stream keeps, the oldest go first; 0 any.',
    'Quantos bytes de eventos o stream guarda, saindo primeiro os mais antigos; 0 é sem limite.',
    (text) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : null),
  ),
  NATS_MONITOR_URLS: entry(
    '',
    'Monitoring addresses of the NATS servers (http://), by commas: a cluster asks them whether its logs survive a power loss.',
    'Endereços de monitoramento dos servidores NATS (http://), separados por vírgulas: o cluster lhes pergunta se os logs sobrevivem a uma queda de energia.',
    urls(/^https?:\/\/[^\s/]+\/?$/),
  ),
  CLUSTER: entry(
    '',
    'Name of the cluster that this node is part of (a-z, 0-9, -; at most 32 characters); with NATS_URL and NODE_ID.',
    'Nome do cluster de que este nó faz parte (a-z, 0-9, -; no máximo 32 caracteres); junto com NATS_URL e NODE_ID.',
    ifSet(clusterName),
  ),
  NODE_ID: entry(
    '',
    'Name of this node in the cluster (a-z, 0-9, -; at most 32 characters).',
    'Nome deste nó no cluster (a-z, 0-9, -; no máximo 32 caracteres).',
    ifSet(clusterName),
  ),
  CLUSTER_REPLICAS: entry(
    '3',
    'On how many NATS servers the cluster keeps its logs: 1, 3 or 5.',
    'Em quantos servidores NATS o cluster guarda os seus logs: 1, 3 ou 5.',
    replicas,
  ),
  CLUSTER_LEASE_MS: entry(
    '2000',
    'After how many milliseconds of silence (500 to 60000) another node takes over a shard.',
    'Depois de quantos milissegundos de silêncio (500 a 60000) outro nó assume um shard.',
    integer(500, 60_000),
  ),
  CLUSTER_FINALIZE: entry(
    'manual',
    'Who finishes an upgrade: an operator with payments cluster finalize (manual), or the nodes, once all of them have run the new build for ten minutes (auto).',
    'Quem conclui uma atualização: um operador com payments cluster finalize (manual), ou os nós, depois de todos rodarem a nova versão por dez minutos (auto).',
    wordOf(['manual', 'auto']),
  ),
  CLUSTER_UNSAFE_NATS: entry(
    'false',
    'Whether to start on NATS servers of a version that may lose what they acknowledged.',
    'Se o nó inicia com servidores NATS de uma versão que pode perder o que confirmou.',
    wordOf(['true', 'false']),
  ),
  MASTER_KEY_FILE: entry(
    '',
    'The key that seals secrets (of webhooks, card tokens, second factors, what is stored about people): 32 bytes in base64, the same on every node; master.key in DATA_DIR by default.',
    'A chave que sela segredos (de webhooks, tokens de cartão, segundos fatores, o que se guarda sobre pessoas): 32 bytes em base64, a mesma em todos os nós; por padrão, master.key em DATA_DIR.',
    ifSet(resolve),
  ),
  DASHBOARD: entry(
    'true',
    'Whether people can sign in to the dashboard, at /painel.',
    'Se pessoas podem entrar no painel, em /painel.',
    wordOf(['true', 'false']),
  ),
  MAIL_URL: entry(
    '',
    'Where mail to people is sent, such as smtps://user:password@mail.example.com. Without it, a service on the loopback without PUBLIC_URL prints mail on the terminal; any other sends none, and links are handed out.',
    'Por onde sai o e-mail às pessoas, como smtps://usuario:senha@mail.example.com. Sem ele, um serviço no loopback sem PUBLIC_URL imprime o e-mail no terminal; qualquer outro não envia nenhum, e os links são entregues por pessoas.',
    ifSet(matching(/^smtps?:\/\/[^\s/]/)),
  ),
  MAIL_FROM: entry(
    '',
    'The sender of that mail; by default no-reply at the host of PUBLIC_URL.',
    'O remetente desse e-mail; por padrão, no-reply no host de PUBLIC_URL.',
    anyText,
  ),
  TRUSTED_PROXIES: entry(
    '',
    'Networks (CIDR, by commas) of the proxies in front, whose X-Forwarded-For tells the address of a person.',
    'Redes (CIDR, separadas por vírgulas) dos proxies à frente, cujo X-Forwarded-For diz o endereço de uma pessoa.',
    networks,
  ),
  DEMO: entry(
    'true',
    'Whether a first start creates a demo company with a Sandbox key.',
    'Se a primeira partida cria uma empresa de demonstração com uma chave de Sandbox.',
    wordOf(['true', 'false']),
  ),
} as const

function entry<Value>(initial: string, en: string, pt: string, parse: Parse<Value>) {
  return { initial, meaning: { en, pt }, parse }
}
