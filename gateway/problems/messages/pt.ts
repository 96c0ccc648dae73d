import type { Messages } from './text.ts'

/** The messages of errors in Brazilian Portuguese. */
export const pt: Messages = {
  required: (field) => `${field} é obrigatório`,
  mustBe: (field, wanted) => `${field} deve ser ${wanted}`,
  key: (field, wanted) => `${field} tem um nome que não é ${wanted}`,
  noItemTwice: (field) => `${field} não pode ter o mesmo item duas vezes`,
  atMostKeys: (field, max) => `${field} deve ter no máximo ${max} chaves`,
  notValid: (field) => `${field} não é válido`,

  eitherOr: (one, other) => `envie ${one} ou ${other}, não os dois`,
  oneOfTwo: (one, other) => `${one} ou ${other} é obrigatório`,
  requiredWith: (field, other, value) => `${field} é obrigatório quando ${other} é ${value}`,
  onlyWith: (field, other, value) => `${field} só pode ser enviado quando ${other} é ${value}`,
  notWith: (field, other, value) => `${field} não pode ser enviado quando ${other} é ${value}`,
  lessThan: (field, other) => `${field} deve ser menor que ${other}`,
  notLessThan: (field, other) => `${field} não pode ser menor que ${other}`,
  notMoreThan: (field, other) => `${field} não pode ser maior que ${other}`,
  notBefore: (field, other) => `${field} não pode ser anterior a ${other}`,
  after: (field, other) => `${field} deve ser posterior a ${other}`,
  withinDays: (field, other, days) => `${field} deve ser ${other} ou no máximo ${days} dias depois`,
  atLeastCents: (field, cents) => `${field} deve ser de no mínimo ${cents} centavos neste caso`,
  atMostCents: (field, cents) =>
    `${field} deve ser de no máximo ${cents} centavos com este método de pagamento`,

  atMostUnits: (field, amount) => `${field} deve ser de no máximo ${amount}`,

  inThePast: (field) => `${field} não pode ser anterior a hoje`,
  inTheFuture: (field) => `${field} não pode estar no futuro`,
  tooManyDaysAhead: (field, days) => `${field} deve estar no máximo ${days} dias à frente`,
  daysFrom: (field, start, days) => `${field} deve ser de ${start} até ${days} dias depois`,
  tooManyYearsAhead: (field, years) => `${field} deve estar no máximo ${years} anos à frente`,

  parameterWithoutName:
    'a query tem um parâmetro sem nome, ou com um nome que não é UTF-8 com percent-encoding',
  parameterNotText: (field) => `${field} deve ser UTF-8 com percent-encoding e sem caracteres de controle`,
  parameterRepeated: (field) => `${field} deve ser informado uma única vez`,
  tedToKey: (field) => `${field} deve ser PIX: uma chave PIX não recebe TED`,
  notAMarker: (field) => `${field} deve ser o asOf de uma página anterior`,

  documentRequired: (field) => `${field} é obrigatório: um boleto identifica o pagador por CPF ou CNPJ`,
  documentAsText: (field: string) =>
    `${field} deve ser um texto, como "01234567890": um número perde os zeros do início`,
  documentForm: (field: string, length: number) =>
    `${field} deve ser um CPF de 11 dígitos ou um CNPJ de 14 caracteres, dos quais os dois últimos são dígitos: este tem ${length} sem pontuação`,
  documentCheckDigits: (field: string) =>
    `${field} deve ter dígitos verificadores corretos: algum dígito está errado`,
  documentFixed: (field) => `${field} identifica o recebedor e não pode ser alterado`,
  currencyOfMethod: (field) => `${field} deve ser uma stablecoin com o método CRYPTO, e BRL nos demais casos`,
  networkOfAsset: (field, asset, networks) =>
    `${field} deve ser um destes valores para ${asset}: ${networks.join(', ')}`,
  oneSideInReais: (field) =>
    `${field} deve ser uma stablecoin quando o outro lado é BRL, e BRL nos demais casos`,
  amountOutOfQuote: (field) => `${field} é pequeno ou grande demais para ser convertido`,
  onlyCardHasInstallments: (field) => `${field} deve ser 1: só cartão é pago em parcelas`,
  setupFeeAndAmount: (field, cents) =>
    `${field} e setupFee devem somar no máximo ${cents} centavos com estes métodos de pagamento`,
  daysOfCustomInterval: (field) =>
    `${field} é obrigatório: conta dias quando interval é CUSTOM, e intervalos nos demais casos`,
  intervalsAtMost: (field, max) => `${field} deve ser no máximo ${max} com este intervalo`,
  redeemedMoreOften: (field, count) =>
    `${field} deve ser no mínimo ${count}: o cupom já foi resgatado esse número de vezes`,
  paidMoreOften: (field, count) =>
    `${field} deve ser no mínimo ${count}: o link já foi pago esse número de vezes`,
  between: (field, least, most) => `${field} deve ser de ${least} a ${most}`,
  notOffered: (field) => `${field} não é oferecido aqui`,
  httpsOnly: (field) => `${field} deve começar com https:// em produção`,
  pageUrl: (field) => `${field} deve ser um endereço que começa com https://, sem usuário nem senha`,
  sumOfItems: (field, sum) => `${field} deve ser a soma dos itens, ${sum}`,
  nothingToPay: (field) => `${field} não deixaria nada a pagar`,
  laterThanTheDayBefore: (field) => `${field} deve ser maior que o dia que o antecede`,
  recipientTwice: (field) => `${field} indica um recebedor que outro item já indica`,
  moreThanAll: (field) => `os percentuais de ${field} não podem somar mais de 10000 pontos-base`,
  remainderTwice: (field) => `${field} só pode ser true em um item`,
  paidAtOfBoleto: (field) => `${field} deve estar entre a criação do boleto e agora`,
  beforeFirstBoleto: (field) => `${field} é anterior ao primeiro vencimento que um boleto pode ter`,
  pixClearsAtOnce: (field) =>
    `${field} não pode ser enviado quando by é PIX: um PIX é pago e compensado na hora`,
  fileNoBase64: (field) => `${field} deve ser um arquivo em base64`,
  fileNoEvidence: (field) => `${field} deve ser um arquivo PDF, PNG ou JPEG inteiro`,
  fileNoStatement: (field, why) => `${field} não é um extrato em OFX: ${why}`,
  fileNoStatementFor: {
    TOO_LONG: 'passa de um MiB',
    NO_OFX: 'não há OFX nele',
    DECLARATION: 'declara algo por conta própria',
    ACCOUNT: 'precisa trazer uma só conta',
    CURRENCY: 'precisa ser em reais',
    PERIOD: 'precisa dizer o período',
    LINE: 'uma das linhas não pode ser lida',
    ID: 'duas linhas têm o mesmo id',
  },
  filesTooLong: (field, max) => `${field} deve ter no máximo ${max} caracteres em base64 no total`,
  noQrCode: (field) => `${field} não pode ser PIX: este boleto não tem QR Code`,
  clockGoesForward: (field) =>
    `${field} não pode ser anterior à hora do relógio, que só avança; reset volta à hora real`,
  clockStepTooLong: (field) => `${field} deve avançar o relógio no máximo dois anos, e não além do ano 8999`,
  unknownTestToken: (field, prefix, tokens) =>
    `${field} começa com ${prefix} e por isso deve ser um destes valores: ${tokens.join(', ')}`,
  subscriptionHasNoCard: (field) => `${field} é obrigatório: a assinatura não tem cartão`,

  wanted: {
    oneOf: (words) => (words.length === 1 ? words[0]! : `um destes valores: ${words.join(', ')}`),
    centavos: (min, max) =>
      `um número inteiro de centavos de ${min} a ${max}, sem separadores nem zeros à esquerda: envie 1990 ou "1990" para R$ 19,90`,
    wholeNumber: (min, max) =>
      `um número inteiro${min === null ? '' : max === null ? ` de no mínimo ${min}` : ` de ${min} a ${max}`}`,
    number: 'um número',
    boolean: 'true ou false',
    object: 'um objeto',
    null: 'null',
    list: (min, max) => `uma lista${counted(min, max, 'item', 'itens')}`,
    string: (length) => `um texto${length}`,
    length: (min, max) => counted(min, max, 'caractere', 'caracteres'),
    or: (alternatives) => listed(alternatives),
    formats: {
      text: (length) => `um texto${length} sem caracteres de controle`,
      'multiline-text': (length) =>
        `um texto${length} sem caracteres de controle além de tabulação e quebra de linha`,
      'cpf-cnpj': () => 'um CPF ou CNPJ com dígitos verificadores corretos',
      'access-key': () =>
        'a chave de acesso de um documento fiscal: 44 caracteres sem espaços, o último deles o dígito verificador correto',
      'e-mail': () => 'um endereço de e-mail',
      phone: () => 'um telefone com DDD, de 10 a 13 dígitos, ou com + e o código de outro país',
      cep: () => 'um CEP de oito dígitos',
      date: () => 'uma data (AAAA-MM-DD)',
      'date-time': () => 'uma data e hora ISO 8601 com Z ou fuso, como 2027-01-31T12:00:00Z',
      'date-or-date-time': () =>
        'uma data (AAAA-MM-DD), ou uma data e hora ISO 8601 com Z ou fuso, como 2027-01-31T12:00:00Z',
      'crypto-amount': () => 'um número decimal com no máximo seis casas, como "18.45"',
      duration: () => 'uma duração ISO 8601, como P1M ou PT2H',
      'card-brand': () => 'um destes valores: VISA, MASTERCARD, ELO, AMEX, HIPERCARD, OTHER',
      'field-key': (length) =>
        `um nome${length} que comece com letra, formado por letras sem acento, dígitos e _`,
      'coupon-code': (length) => `um código${length}, formado por letras sem acento, dígitos, _ e -`,
      'one-time-code': () => 'seis dígitos',
      last4: () => 'os quatro últimos dígitos do cartão',
      bin: () => 'os seis ou oito primeiros dígitos do cartão',
      'bank-code': () => 'um código de três dígitos',
      ispb: () => 'os oito dígitos de um banco',
      'payment-system-code': () => 'um código de quatro letras maiúsculas ou dígitos, como AM04',
      'bank-branch': () => 'uma agência de um a cinco dígitos, com hífen e dígito verificador se houver',
      'statement-descriptor': () => 'de 5 a 22 caracteres entre A–Z, 0–9, ponto, asterisco, hífen e espaço',
      color: () => 'uma cor como #1f7a5a',
      'https-url': () => 'um endereço que comece com https://, sem usuário nem senha',
      'shown-name': (length) =>
        `um texto${length} sem quebras de linha, caracteres de controle nem marcas de direção da escrita`,
      'noted-object': () => 'o id de uma transação ou de um cliente, como txn_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'ticket-object': () =>
        'o id de uma transação, transferência, entrega ou de um saque, como txn_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      'pix-key': () =>
        'uma chave PIX: CPF, CNPJ, e-mail, telefone com + e código do país, ou chave aleatória',
      network: () => 'uma rede como 203.0.113.0/24 ou 2001:db8::/32',
      'bank-account': () => 'uma conta de um a 13 dígitos, com hífen e dígito verificador se houver',
    },
  },

  operations: {
    connectionIs: (id, state, wanted) => `${id} está ${state} e precisa estar ${wanted}`,
    unknownSetting: (name) => `${name} não é uma configuração deste provedor`,
    operatorSetting: (name) => `${name} só pode ser definido pelo operador do serviço`,
    noStatementInterface: (bank) =>
      `não se conhece interface em que ${bank} dê o extrato: pessoas o enviam como arquivo`,
    receiverAccountMissing: () =>
      'com pixAutomatic, as configurações indicam a conta que recebe as cobranças do Pix Automático: receiverAccount, e receiverBranch quando o banco tem agências',
    sandboxHasProviders: () => 'o Sandbox tem provedores próprios: conexões são para produção',
    noProvider: (name, known) => `não existe o provedor ${name}; existem: ${known || 'nenhum'}`,
    placeTaken: (role, rails, id) =>
      `${id} já é a conexão ${role} para ${rails}: encerre-a antes ou crie esta com a outra prioridade ou para outros meios`,
    connectionFails: (id, detail) => `${id} não funciona: ${detail}`,
    connectionChanged: (id) => `${id} foi alterada nesse meio-tempo: confira e tente novamente`,
    certificateExpired: (id) => `o certificado de ${id} expirou: troque antes as credenciais`,
    credentialsLost: (id) =>
      `o serviço foi restaurado para antes de ${id} existir, e as credenciais se perderam: troque-as, com todas as configurações`,
    credentialsUnverified: (id) =>
      `o serviço foi restaurado para antes da última troca das credenciais de ${id}: verifique a conexão ou troque-as de novo, e então retome-a`,
    otherPixKey: (id) => `outra chave PIX é outra conexão: ${id} mantém a sua`,
    noFormerCredentials: (id) =>
      `${id} não tem credenciais anteriores: elas ficam guardadas por 24 horas depois de uma troca`,
    tooManyConnections: (max) => `uma empresa tem no máximo ${max} conexões que não foram encerradas`,
    tooManyKeys: (max) => `uma empresa tem no máximo ${max} chaves ativas em cada ambiente: revogue uma`,
    keyRevoked: (id) => `a chave ${id} foi revogada: crie outra`,
    keyRolled: (id, into) => `a chave ${id} já foi trocada por ${into}: troque esta`,
    keyExpired: (id) => `a chave ${id} expirou: crie outra`,
    scopesOnlyFewer: (scope) => `permissões só podem ser retiradas: para ${scope}, crie outra chave`,
    tooManyNetworks: (max) => `ipAllowList tem no máximo ${max} redes`,
    noNetwork: (text) => `ipAllowList: ${text} não é uma rede, como 203.0.113.0/24 ou 2001:db8::/32`,
    noDateTime: (field) => `${field} deve ser uma data e hora no formato ISO 8601`,
    notAhead: (field) => `${field} deve estar no futuro`,
    beyondTwoYears: (field, until) => `${field} deve estar no máximo dois anos à frente, até ${until}`,
    tooManyEndpoints: (max) => `uma empresa tem no máximo ${max} endpoints em cada ambiente`,
    endpointDeleted: (id) => `o endpoint ${id} foi excluído`,
    endpointDisabled: (id) => `o endpoint ${id} está desativado: ative-o antes`,
    testsPerMinute: (max) => `um endpoint recebe no máximo ${max} eventos de teste por minuto`,
    tooManyResent: (total, max) =>
      `${total} entregas correspondem, e no máximo ${max} são reenviadas de uma vez: restrinja o filtro`,
    fromBeforeTo: () => 'from deve ser anterior a to',
    replaySpan: (days) => `um reenvio abrange no máximo ${days} dias`,
    worksElsewhere: () =>
      'A pessoa também trabalha para outra empresa: somente o operador do serviço pode redefinir o fator.',
    factorWrong: () => 'O código ou a assinatura está incorreto. Nada foi feito.',
    factorUsed: () =>
      'O código já foi usado, ou o desafio já foi respondido ou expirou. Nada foi feito: use o próximo código do aplicativo ou assine um novo desafio.',
    factorOfOther: () =>
      'A chave de acesso assinou outra operação, ou a mesma para outra empresa, ambiente ou sessão. Nada foi feito: assine um desafio para esta requisição.',
    passkeyCounter: () =>
      'O contador de assinaturas da chave de acesso diminuiu, como acontece com uma chave copiada. Nada foi feito: use outro fator, remova esta chave de acesso e cadastre-a de novo.',
    lastFactor: () => 'O último segundo fator não pode ser removido: cadastre outro antes.',
    passwordLength: (min, max) => `password deve ter de ${min} a ${max} caracteres`,
    noEmail: () => 'email deve ser um endereço de e-mail',
    noRole: () => 'roles deve trazer ao menos um papel',
    logoTooLong: (max) => `image deve ter no máximo ${max} caracteres em base64`,
    logoNoBase64: () => 'image deve ser uma imagem em base64',
    logoNoPicture: () => 'image deve ser uma imagem PNG ou JPEG inteira',
    logoSize: (min, max) => `image deve ter de ${min} a ${max} pixels de largura e de altura`,
    urlRefused: (reason) => `url foi recusada: ${reason}`,
    headerName: (name) =>
      `headers: ${name} não é um nome permitido para um cabeçalho próprio; não pode ser um que o serviço já envia nem um da conexão`,
    headerValue: (name, max) =>
      `headers: o valor de ${name} deve ter de 1 a ${max} caracteres ASCII visíveis, com espaços só no meio`,
    headerTwice: () =>
      'headers: um cabeçalho aparece duas vezes; maiúsculas e minúsculas não fazem diferença',
    tooManyHeaders: (max) => `headers: um endpoint tem no máximo ${max} cabeçalhos próprios`,
    headersOfOtherUrl: (names) => `headers: a url mudou; envie ${names} de novo ou remova com null`,
    extraEvent: (types) => `events: ${types} só é recebido com extraEvents`,
    noneOf: (field, given, words) => `${field}: ${given} não é um destes valores: ${words.join(', ')}`,
    noZone: (zone) => `timezone ${zone} não é um fuso horário da IANA`,
    aWebsite: 'uma URL que comece com https:// ou http://',
  },
  urls: {
    blanks: 'não pode conter espaços, tabulações, quebras de linha nem caracteres de controle',
    noUrl: (max) => `não é uma URL de no máximo ${max} caracteres`,
    tooLong: (max) => `tem mais de ${max} caracteres`,
    host: 'o host não é um ao qual webhooks possam ir',
    https: 'deve começar com https://',
    http: 'deve começar com https:// ou http://',
    port: 'a porta deve ser 443 ou 8443',
    portZero: 'à porta 0 ninguém se conecta',
    credentials: 'não pode trazer usuário nem senha',
    fragment: 'não pode ter fragmento',
  },
  details: {
    sendAKey:
      'Envie uma chave de API válida como "Authorization: Bearer <chave>", ou com HTTP Basic: o clientId dela como usuário e a chave como senha.',
    unavailable:
      'Ou nada foi feito, ou o resultado ainda não é conhecido. Envie a mesma requisição novamente com a mesma Idempotency-Key.',
    internalError:
      'Um erro do próprio serviço. Envie a mesma requisição novamente com a mesma Idempotency-Key.',
    scopeMissing: (scope) => `Esta operação exige uma chave com o escopo ${scope}.`,
    wrongSignIn: 'E-mail ou senha incorretos.',
    permissionMissing: (permission) =>
      `O seu papel nesta empresa e neste ambiente não tem a permissão ${permission}.`,
    productNotActive: (product) => `O produto ${product} não está ativo para esta empresa.`,
    notFound: (resource) => `Não existe ${resource} com esse id nesta empresa e neste ambiente.`,
    nearPath: (path) => `Nenhuma operação tem este caminho. O mais próximo é ${path}.`,
    allowedMethods: (verbs) => `Este caminho aceita apenas ${verbs}.`,
    rateLimited: (policy, seconds) =>
      `A chave enviou mais requisições do que a política ${policy} permite. Tente novamente em ${seconds} s.`,
    liveStreams: (max) =>
      `A sessão já tem ${max} conexões ao vivo abertas. Feche uma delas ou compartilhe uma só entre as janelas do navegador.`,
    jsonFault: (line, column) =>
      `O corpo não é um JSON válido: o erro está na linha ${line}, coluna ${column}.`,
    bodyNotUtf8: 'O corpo não está em UTF-8.',
    byteOrderMark: 'O corpo começa com uma marca de ordem de bytes (BOM, U+FEFF). Envie UTF-8 sem ela.',
    bodyNotAnObject: 'O corpo é um JSON válido, mas não é um objeto.',
    tooManyLevels: (max) => `O corpo tem mais de ${max} níveis.`,
    tooManyKeys: (max) => `O corpo tem mais de ${max} chaves.`,
    protoKey: 'O corpo tem uma chave __proto__.',
    numberTooLarge: 'O corpo tem um número grande demais para um double.',
    halfSurrogate: 'O corpo tem um texto com metade de um par substituto (surrogate).',
    nulCharacter: 'O corpo tem um texto com o caractere U+0000.',
    invalidState: (current, allowed) =>
      allowed.length === 0
        ? `Não é possível enquanto o status é ${current}.`
        : `Não é possível enquanto o status é ${current}, apenas enquanto é ${listed(allowed)}.`,
    clockResetMeanwhile:
      'O relógio foi reiniciado antes de chegar ao destino; o que vencia até então foi feito.',
    neverPaid: 'O cenário never_paid do Sandbox recusa todo pagamento desta cobrança.',
    providerAsked: (operation) =>
      `Um provedor está sendo consultado (${operation}). Tente novamente quando ele tiver respondido.`,
    decidedAlready: 'Você já aprovou ou rejeitou: cada pessoa decide uma única vez.',
    deliveryUnfinished: 'A entrega ainda está sendo tentada.',
    deliveryFinished: 'A entrega terminou: não haverá outra tentativa.',
    deliveryForgotten: 'O que foi enviado foi esquecido com o pagador e não pode ser reenviado.',
    tooManyOpenTickets: (max) =>
      `Já há ${max} chamados abertos, e não é possível abrir mais. Encerre um que esteja resolvido.`,
    tooManyNotes: (notes) => `Uma transação ou um cliente tem no máximo ${notes} anotações.`,
    noteOfAnother: 'Somente quem escreveu, um proprietário ou um administrador exclui uma anotação.',
    statementRefused: {
      OTHER_ACCOUNT: 'O arquivo é o extrato de outra conta.',
      ACCOUNT_UNKNOWN:
        'A conexão não diz qual é a sua conta: preencha receiverBranch e receiverAccount primeiro.',
      OTHER_DAYS: 'O período do arquivo não contém o dia.',
      BANK_GAVE_IT: 'O próprio banco já forneceu o extrato do dia.',
      TOO_MANY: 'O dia tem mais linhas do que um arquivo pode ter.',
    },
    notBorneOut: {
      ID_UNREADABLE: 'Este não é o identificador de um PIX enviado: ele começa com E e tem 32 caracteres.',
      ID_OF_OTHER_TIME: 'O PIX com este identificador foi feito antes da transferência ou no futuro.',
      ID_KNOWN: 'O PIX com este identificador é outra transferência.',
      NO_STATEMENT: 'O extrato do banco desse dia ainda não foi comparado.',
      NOT_IN_STATEMENT: 'O extrato do banco desse dia não mostra um PIX assim com este valor.',
      OTHERS_COUNT:
        'Os extratos mostram outro número de PIX deste valor que não são nossos. Confira cada um: um deles pode ser esta transferência.',
    },
    tooManyViews: (max) => `Você já salvou ${max} visualizações, o máximo permitido. Exclua uma antes.`,
    ticketClosedForLong: (days) =>
      `O chamado foi encerrado há mais de ${days} dias. Abra um novo e cite nele o antigo.`,
    captureUnknown:
      'A adquirente ainda não respondeu à captura e está sendo consultada novamente. Consulte o pagamento para ver o resultado.',
    voidUnknown:
      'A adquirente ainda não respondeu ao cancelamento e está sendo consultada novamente. Consulte o pagamento para ver o resultado.',
    bankCancellationUnknown:
      'O banco ainda não respondeu ao cancelamento e está sendo consultado novamente. Consulte a cobrança para ver o resultado.',
    bankCancellationRefused: 'O banco não cancelou a cobrança. Ela ainda pode ser paga.',
    captureRefused: (message) =>
      `A adquirente recusou a captura${inBrackets(message)}. O pagamento continua autorizado.`,
    voidRefused: (message) => `A adquirente recusou cancelar a autorização${inBrackets(message)}.`,
    belowNetworkFee: 'A taxa da rede é maior do que o valor a enviar.',
    chargeSentOften: (mails) => `Uma cobrança pode ser enviada no máximo ${mails} vezes em 24 horas.`,
    companySentOften: (mails) => `Uma empresa pode enviar no máximo ${mails} cobranças por hora.`,
    tooManyQuotes: 'Cada pessoa pode pedir dez cotações por minuto.',
    payable: (cents) => `Só pode ser pago com exatamente ${cents} centavos.`,
    capturable: (cents) => `Podem ser capturados no máximo ${cents} centavos.`,
    refundable: (cents) => `Podem ser estornados no máximo ${cents} centavos.`,
    methodNotRefundable: (method) => `Um pagamento por ${method} não pode ser estornado pela API.`,
    refundWindow: (days) => `Um estorno é possível até ${days} dias após o pagamento.`,
    chargebackWindow: (days) => `Um chargeback é possível até ${days} dias após o pagamento.`,
    medWindow: (days) => `Um MED é possível até ${days} dias após o pagamento.`,
    defenseWas: (until) => `Uma defesa era possível até ${until}.`,
    defendedAlready: 'Você já respondeu a este MED: isso só é possível uma vez.',
    nothingReturned: 'Este MED não devolveu nada que você possa contestar.',
    planFieldFixed: (field) =>
      `${field} não pode mais ser alterado, porque o plano tem ou já teve assinaturas.`,
    couponFieldFixed: (field) => `${field} não pode mais ser alterado, porque o cupom já foi resgatado.`,
    linkFieldFixed: (field) =>
      `${field} não pode mais ser alterado, porque um pagador já abriu o link para pagar.`,
    pageMethods: (methods) => `Esta página pode ser paga por ${listed(methods)}.`,
    paymentUnderWay: (method) => `Um pagamento por ${method} está sendo decidido.`,
    pageOutdated: 'Outra cobrança desta página foi gerada ou encerrada desde que ela foi exibida.',
    tooManyTries: 'Esta página já gerou o máximo de cobranças.',
    linkBusy: 'Outra pessoa está pagando neste link.',
    taken: (field) => `Já existe outro objeto com este ${field}.`,
    planMethods: (methods) => `O plano pode ser pago por ${listed(methods)}.`,
    references: (field) => `${field} não pertence a nenhum objeto desta empresa e deste ambiente.`,
    singleTransfer: (cents) => `Uma única transferência pode ser de no máximo ${cents} centavos.`,
    approverTooNew:
      'Você recebeu o seu papel depois desta solicitação, sem a confirmação de outra pessoa: peça a outro aprovador.',
    limitLeft: (cents) => `Restam no máximo ${cents} centavos do limite.`,
    notConnected: (rail) => `Nenhum provedor está conectado para ${rail} neste ambiente. Nada foi gravado.`,
    notOffered: (rail, operation) =>
      operation === 'LOOKUP_KEY'
        ? 'O banco conectado não informa de quem é uma chave PIX: cadastre o favorecido pela conta bancária.'
        : `O provedor conectado para ${rail} não oferece ${operation}. Nada foi gravado.`,
    exportRows: (max) =>
      `Uma exportação pode ter no máximo ${max} linhas: restrinja o período ou os filtros.`,
    couponRefused: {
      NOT_FOUND: 'Não existe cupom com este código.',
      INACTIVE: 'O cupom está inativo.',
      NOT_STARTED: 'O cupom ainda não pode ser resgatado.',
      EXPIRED: 'O cupom expirou.',
      EXHAUSTED: 'O cupom já foi resgatado o número máximo de vezes.',
      PLAN_NOT_ELIGIBLE: 'O cupom não vale para este plano.',
      CUSTOMER_LIMIT: 'Este cliente já resgatou o cupom o número máximo de vezes por cliente.',
      BELOW_MINIMUM: 'O plano custa menos do que o mínimo do cupom.',
    },
  },
}

function counted(min: number | null, max: number | null, one: string, many: string): string {
  const least = min ?? 0
  if (max === null) return least === 0 ? '' : ` de no mínimo ${least} ${least === 1 ? one : many}`
  return least === 0 ? ` de no máximo ${max} ${many}` : ` de ${least} a ${max} ${many}`
}

function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} ou ${items.at(-1)!}`
}

function inBrackets(text: string | null): string {
  return text === null ? '' : ` (${text})`
}
