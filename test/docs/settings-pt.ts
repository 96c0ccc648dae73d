import type { settingTable } from '../../gateway/base/settings.ts'

/** What each setting means, in Portuguese: a setting that is missing here does not compile. */
export const settingsInPortuguese: Readonly<Record<keyof typeof settingTable, string>> = {
  HOST: 'Endereço em que o serviço escuta.',
  PORT: 'Porta da API; 0 escolhe qualquer porta livre.',
  ADMIN_PORT: 'Porta do listener administrativo, só no loopback; 0 escolhe qualquer porta livre.',
  METRICS_TOKEN: 'Um token de 16 caracteres ou mais que pode ler /metrics no listener administrativo.',
  METRICS_TOKEN_FILE: 'O mesmo em um arquivo, lido de novo a cada coleta.',
  DATA_DIR: 'Onde tudo é guardado.',
  WORKERS: 'Threads que atendem requisições; auto é uma a menos que os núcleos, no máximo 4.',
  SHARDS:
    'Número de shards (1 a 256), fixado quando o diretório de dados é criado; por padrão, um para cada worker daquele momento.',
  HOT_STATES:
    'Quantos estados de transações e entregas cada shard mantém em memória, cerca de 3 kB cada, e outro tanto por um que é lido.',
  LOG_LEVEL: 'Um entre fatal, error, warn, info, debug, trace, silent.',
  LOG_FORMAT: 'pretty (para pessoas), json, ou auto: pretty quando vai para um terminal.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Para onde os traces são enviados por OTLP sobre HTTP (em JSON, para /v1/traces abaixo dele); sem isso nenhum é feito.',
  OTEL_EXPORTER_OTLP_HEADERS: 'Cabeçalhos que os acompanham: nome=valor, separados por vírgulas.',
  OTEL_SERVICE_NAME: 'O nome do serviço nos traces.',
  OTEL_RESOURCE_ATTRIBUTES: 'O que mais os traces dizem do serviço: nome=valor, separados por vírgulas.',
  OTEL_TRACES_SAMPLER:
    'Quais requisições são rastreadas: um entre always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio.',
  OTEL_TRACES_SAMPLER_ARG: 'A parte delas, de 0 a 1, em um amostrador por proporção.',
  TLS_CERT_FILE: 'Cadeia de certificados PEM, para HTTPS sem proxy; junto com TLS_KEY_FILE.',
  TLS_KEY_FILE: 'Chave privada PEM.',
  PUBLIC_URL:
    'Origem pela qual o serviço é alcançado, como https://pay.example.com: os erros apontam para a documentação dele.',
  SECURITY_CONTACT:
    'Para onde escreve quem encontra uma falha de segurança, separados por vírgula: mailto:seguranca@example.com ou https://…; é o que /.well-known/security.txt mostra, e sem ele esse arquivo não é servido.',
  TRANSPORT:
    'uws (nativo), node (node:http), ou auto: uws onde carrega uma versão que responde a toda requisição.',
  KEEP_ALIVE:
    'always mantém abertas as conexões depois de leituras com qualquer biblioteca nativa: para um serviço atrás de nginx ou HAProxy, ou acessado diretamente (veja Segurança).',
  RATE_LIMIT:
    'Requisições por segundo para cada chave de API; 0 é sem limite, também para pessoas, que têm 50.',
  RATE_LIMIT_BURST: 'Requisições de uma chave de uma só vez, antes que o limite valha.',
  RATE_LIMIT_EXPORT: 'Exportações por minuto para cada chave; 0 não limita nada.',
  PIX_ISPB: 'ISPB da instituição: oito caracteres, parte dos identificadores fim a fim.',
  PIX_LOCATION: 'Host e caminho nos QR Codes, sem https://.',
  CRYPTO_TOLERANCE_BPS:
    'Quantos pontos-base a menos que o valor aprovam uma cobrança em stablecoin: de 0 a 200.',
  CRYPTO_CONFIRMATIONS:
    'Quantas confirmações tornam final uma transferência de stablecoin, por rede: REDE=1 a 10000, separadas por vírgulas; as demais ficam como aqui.',
  NATS_URL:
    'Endereços de servidores NATS (nats:// ou tls://, sem usuário), separados por vírgulas: os eventos públicos passam por um stream JetStream neles.',
  NATS_USER: 'Usuário do NATS; junto com NATS_PASSWORD.',
  NATS_PASSWORD: 'Senha do NATS.',
  NATS_CREDS_FILE: 'Arquivo de credenciais (JWT e seed) do NATS.',
  NATS_NKEY_FILE: 'Arquivo com a seed de uma nkey do NATS.',
  NATS_CA_FILE: 'Certificados PEM pelos quais os servidores NATS são reconhecidos.',
  NATS_CERT_FILE: 'Certificado PEM deste serviço para o NATS; junto com NATS_KEY_FILE.',
  NATS_KEY_FILE: 'Chave privada PEM de NATS_CERT_FILE.',
  NATS_REPLICAS:
    'Em quantos servidores o stream de eventos é guardado: 1, 3 ou 5; por padrão 1, em um cluster tantos quantos CLUSTER_REPLICAS.',
  NATS_MAX_AGE_DAYS: 'Por quantos dias o stream guarda eventos; 0 para sempre.',
  NATS_MAX_BYTES:
    'Quantos bytes de eventos o stream guarda, saindo primeiro os mais antigos; 0 é sem limite.',
  NATS_MONITOR_URLS:
    'Endereços de monitoramento dos servidores NATS (http://), separados por vírgulas: o cluster lhes pergunta se os logs sobrevivem a uma queda de energia.',
  CLUSTER:
    'Nome do cluster de que este nó faz parte (a-z, 0-9, -; no máximo 32 caracteres); junto com NATS_URL e NODE_ID.',
  NODE_ID: 'Nome deste nó no cluster (a-z, 0-9, -; no máximo 32 caracteres).',
  CLUSTER_REPLICAS: 'Em quantos servidores NATS o cluster guarda os seus logs: 1, 3 ou 5.',
  CLUSTER_LEASE_MS: 'Depois de quantos milissegundos de silêncio (500 a 60000) outro nó assume um shard.',
  CLUSTER_UNSAFE_NATS: 'Se o nó inicia com servidores NATS de uma versão que pode perder o que confirmou.',
  MASTER_KEY_FILE:
    'A chave que sela segredos (de webhooks, tokens de cartão, segundos fatores, o que se guarda sobre pessoas): 32 bytes em base64, a mesma em todos os nós; por padrão, master.key em DATA_DIR.',
  DASHBOARD: 'Se pessoas podem entrar no painel, em /painel.',
  MAIL_URL:
    'Por onde sai o e-mail às pessoas, como smtps://usuario:senha@mail.example.com. Sem ele, um serviço no loopback sem PUBLIC_URL imprime o e-mail no terminal; qualquer outro não envia nenhum, e os links são entregues por pessoas.',
  MAIL_FROM: 'O remetente desse e-mail; por padrão, no-reply no host de PUBLIC_URL.',
  TRUSTED_PROXIES:
    'Redes (CIDR, separadas por vírgulas) dos proxies à frente, cujo X-Forwarded-For diz o endereço de uma pessoa.',
  DEMO: 'Se a primeira partida cria uma empresa de demonstração com uma chave de Sandbox.',
}
