import { cardRefunds } from '../../engine/payments/methods/card/refunds.ts'
import { pixRefunds } from '../../engine/payments/methods/pix/refunds.ts'
import { bounds } from '../../engine/shared/bounds.ts'
import type { ProblemCode } from './catalogue.ts'
import type { ProblemText } from './problem-text.ts'

/** The errors in Brazilian Portuguese. */
export const pt: Readonly<Record<ProblemCode, ProblemText>> = {
  INVALID_JSON: {
    title: 'O corpo não é um objeto JSON',
    cause:
      'Não foi possível ler o corpo como objeto JSON: ele não é um JSON válido em UTF-8, ou é uma lista, um texto ou um número em vez de um objeto.',
    remedy:
      'Gere o corpo com uma biblioteca de JSON e envie-o em UTF-8, sem marca de ordem de bytes (BOM). `detail` indica a linha e a coluna do primeiro caractere que não pode estar onde está.',
  },
  VALIDATION_ERROR: {
    title: 'Requisição inválida',
    cause: 'Pelo menos um campo do corpo ou da query está ausente ou tem um valor que não pode ser aceito.',
    remedy:
      '`errors` lista todos esses campos de uma vez, cada um com um `code` para programas e uma `message` para pessoas. Corrija-os e envie a requisição novamente; a mesma `Idempotency-Key` pode ser usada.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    title: 'Idempotency-Key inválida',
    cause:
      'O cabeçalho Idempotency-Key está vazio, tem mais de 255 caracteres, não é ASCII imprimível ou foi enviado duas vezes.',
    remedy:
      'Envie o cabeçalho uma única vez, com 1 a 255 caracteres ASCII imprimíveis. Um UUID aleatório por operação é uma boa chave.',
  },
  CARD_DATA_NOT_ALLOWED: {
    title: 'Dados de cartão não podem ser enviados',
    cause:
      'A requisição parece conter um número de cartão ou um código de segurança. Ela foi recusada antes que qualquer dado fosse gravado ou registrado em log.',
    remedy:
      'Tokenize o cartão com o SDK da adquirente e envie apenas `card.token`, `card.brand` e `card.last4`. O número do cartão nunca deve passar pelos seus servidores.',
  },
  PASSWORD_TOO_COMMON: {
    title: 'A senha é fácil de adivinhar',
    cause:
      'A senha é uma palavra ou sequência comum cercada de números e sinais, ou é feita do nome, do e-mail ou da empresa.',
    remedy:
      'Escolha uma frase mais longa, de palavras sem relação entre si, ou deixe um gerenciador de senhas criar uma.',
  },
  BAD_REQUEST: {
    title: 'A requisição não é HTTP válido',
    cause: 'Não foi possível ler a requisição como HTTP/1.1, ou ela não chegou a tempo.',
    remedy: 'Envie-a com um cliente HTTP padrão e verifique os proxies no caminho.',
  },
  UNAUTHORIZED: {
    title: 'Falha na autenticação',
    cause:
      'A requisição não traz uma chave de API válida. Chave ausente, digitada errado, desconhecida ou revogada e empresa suspensa recebem esta mesma resposta.',
    remedy:
      'Envie a chave como `Authorization: Bearer <chave>`, ou com HTTP Basic: o `clientId` como usuário e a chave como senha. Chaves de teste começam com `svc_test_`, chaves de produção com `svc_live_`.',
  },
  PAYMENT_DECLINED: {
    title: 'O pagamento foi recusado',
    cause:
      'O cartão foi recusado na cobrança da diferença do novo plano. A assinatura continua no plano atual.',
    remedy:
      '`failureReason` diz por quê. Peça outro cartão ou mude o plano com `effective: "PERIOD_END"`, que não cobra nada agora.',
  },
  NO_PERMISSION: {
    title: 'Sem permissão',
    cause: 'Falta à chave de API o escopo, ou à pessoa a permissão, que esta operação exige.',
    remedy:
      'Para uma chave, `requiredScope` diz qual é: os escopos são escolhidos na criação da chave, então solicite uma que o tenha. Para uma pessoa, `requiredPermission` diz: vem do papel, que um proprietário ou administrador da empresa pode alterar.',
  },
  PRODUCT_NOT_ACTIVE: {
    title: 'O produto não está ativo',
    cause: 'A operação pertence a um produto que não está ativo para a empresa neste ambiente.',
    remedy: '`product` diz qual é. Peça ao operador do serviço que o ative.',
  },
  SANDBOX_ONLY: {
    title: 'Somente no Sandbox',
    cause: 'Esta operação existe apenas no Sandbox, e a chave de API é de produção.',
    remedy: 'Use uma chave de teste (`svc_test_…`).',
  },
  DASHBOARD_ONLY: {
    title: 'Somente pelo painel',
    cause:
      'A operação é reservada a pessoas que entraram no painel com um segundo fator. Nenhuma chave de API pode fazê-la, sejam quais forem os escopos.',
    remedy: 'Faça isso pelo painel (`/painel`) ou peça a um membro da empresa cujo papel permita.',
  },
  ENROLMENT_REQUIRED: {
    title: 'Falta cadastrar um segundo fator',
    cause:
      'A pessoa entrou, mas ainda não tem um segundo fator. Nada mais pode ser feito até que ela cadastre um.',
    remedy:
      'Cadastre um aplicativo autenticador (`POST /v1/me/totp`) ou uma chave de acesso (`POST /v1/me/passkeys`) e envie a requisição de novo.',
  },
  STEP_UP_REQUIRED: {
    title: 'Confirme de novo o segundo fator',
    cause: 'A operação exige um segundo fator informado nesta sessão nos últimos cinco minutos.',
    remedy: 'Envie um fator de `methods` para `POST /v1/session/step-up` e depois a requisição de novo.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'A operação precisa ser confirmada',
    cause: 'A operação exige um segundo fator só para ela, e a requisição não traz nenhum.',
    remedy:
      'Envie a requisição de novo com `Service-Second-Factor: totp 123456`, ou com `passkey` e uma asserção sobre o desafio de `POST /v1/session/challenge`. `methods` lista o que a pessoa tem.',
  },
  SECOND_FACTOR_INVALID: {
    title: 'O segundo fator está errado',
    cause:
      'O código está errado, venceu ou já foi usado, ou a chave de acesso assinou outra coisa. Nada foi feito; reason diz qual dos casos.',
    remedy:
      'Use o próximo código do aplicativo ou assine um novo desafio exatamente para esta requisição, nesta sessão e para esta empresa e ambiente. Dez códigos errados seguidos bloqueiam os códigos por uma hora.',
  },
  FACTOR_FROZEN: {
    title: 'Confirmações pausadas após uma redefinição',
    cause:
      'O segundo fator da pessoa foi redefinido há menos de 24 horas. Até until, operações que exigem confirmação são recusadas.',
    remedy:
      'Aguarde até lá ou peça a outro membro. Os proprietários da empresa foram avisados da redefinição por e-mail.',
  },
  CSRF_REJECTED: {
    title: 'A requisição não vem do painel',
    cause:
      'A requisição traz uma sessão, mas não a prova de que foi a própria página do painel que a enviou: vem de outro site ou está sem o cabeçalho Service-CSRF.',
    remedy:
      'Envie requisições a partir da origem do painel, com o `csrfToken` de `GET /v1/session` em `Service-CSRF`. Programas usam uma chave de API.',
  },
  OWN_REQUEST: {
    title: 'Outra pessoa precisa decidir',
    cause: 'Uma solicitação não pode ser aprovada por quem a fez.',
    remedy: 'Peça a outro membro cujo papel permita.',
  },
  NOT_FOUND: {
    title: 'Não encontrado',
    cause: 'Não existe tal objeto nesta empresa e neste ambiente.',
    remedy:
      'Confira o id e se a chave é do ambiente em que o objeto foi criado. Um objeto só é encontrado entre os da sua espécie, um depósito não aparece entre as cobranças; `GET /v1/transactions/{id}` encontra pagamentos de todo tipo. `resource` diz o que foi procurado.',
  },
  ROUTE_NOT_FOUND: {
    title: 'Caminho inexistente',
    cause: 'Nenhuma operação tem este caminho.',
    remedy: 'Compare-o com a referência da API. Os caminhos começam com `/v1/` e não terminam com barra.',
  },
  METHOD_NOT_ALLOWED: {
    title: 'Método não permitido',
    cause: 'Nenhuma operação deste caminho tem este método HTTP.',
    remedy: 'O cabeçalho `Allow` lista os métodos que o caminho tem.',
  },
  INVALID_STATE: {
    title: 'Não permitido no status atual',
    cause: 'O status atual não permite esta operação.',
    remedy:
      '`currentStatus` diz em que status o objeto está e `allowedStatuses`, em quais ele teria de estar. Consulte o objeto novamente antes de decidir; quando nenhum status é listado, espere terminar o que está em andamento.',
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    title: 'A mesma requisição ainda está em andamento',
    cause: 'A primeira requisição com esta Idempotency-Key ainda não terminou.',
    remedy:
      'Envie a mesma requisição novamente após `Retry-After` segundos: ela receberá a resposta da primeira.',
  },
  DISPUTE_OPEN: {
    title: 'Há uma contestação em aberto',
    cause: 'O pagamento está sendo contestado; um estorno agora poderia pagar o comprador duas vezes.',
    remedy:
      'Aguarde o resultado. `chargebackId` ou `medId` identifica a contestação, e o evento `payment.chargeback` ou `pix.med_closed` anuncia o fim dela.',
  },
  ATTEMPT_IN_PROGRESS: {
    title: 'Há uma tentativa em andamento',
    cause:
      'Uma tentativa de cobrar esta fatura ainda está em andamento, e o resultado ainda não é conhecido.',
    remedy:
      'Espere terminar a tentativa indicada em `attemptId`, o que `subscription.paid` ou `subscription.failed` anuncia, e então tente novamente.',
  },
  INVOICE_OPEN: {
    title: 'Há uma fatura deste período sem pagamento',
    cause: 'O plano não pode mudar no meio de um período cuja fatura não foi paga.',
    remedy:
      'Aguarde o pagamento da fatura indicada em `invoiceId` ou mude o plano com `effective: "PERIOD_END"`.',
  },
  PLAN_IN_USE: {
    title: 'O plano está em uso',
    cause: 'Este campo não pode mais ser alterado, porque o plano tem ou já teve assinaturas.',
    remedy:
      '`field` diz qual é. Crie outro plano com as novas condições e migre as assinaturas com change-plan.',
  },
  COUPON_IN_USE: {
    title: 'O cupom está em uso',
    cause: 'Este campo não pode mais ser alterado, porque o cupom já foi resgatado.',
    remedy: '`field` diz qual é. Desative o cupom e crie outro com as novas condições.',
  },
  LINK_IN_USE: {
    title: 'O link de pagamento está em uso',
    cause: 'Este campo não pode mais ser alterado, porque um pagador já abriu o link para pagar.',
    remedy: '`field` diz qual é. Desative o link e crie outro com as novas condições.',
  },
  DEFENSE_WINDOW_CLOSED: {
    title: 'O prazo de defesa terminou',
    cause: 'O chargeback não pode mais ser contestado.',
    remedy:
      'A defesa precisa chegar antes de `defenseDueAt`. O evento `payment.chargeback` anuncia cada chargeback no momento em que é aberto.',
  },
  DUPLICATE: {
    title: 'Já existe',
    cause: 'Outro objeto já tem um valor que precisa ser único.',
    remedy: 'Use o objeto indicado em `existingId` ou escolha outro valor.',
  },
  LAST_OWNER: {
    title: 'A empresa precisa de um proprietário',
    cause: 'Toda empresa precisa de um proprietário em Produção, e a alteração a deixaria sem nenhum.',
    remedy: 'Antes, torne outro membro proprietário.',
  },
  CHANGE_PENDING: {
    title: 'Já há uma alteração pendente',
    cause:
      'Uma alteração do mesmo item aguarda aprovação ou o momento em que passa a valer. existingId diz qual é.',
    remedy: 'Antes, aprove ou rejeite essa alteração.',
  },
  POSSIBLE_DUPLICATE: {
    title: 'Pode ser uma repetição',
    cause: 'O mesmo valor foi enviado ao mesmo favorecido há menos de dez minutos.',
    remedy: 'Consulte a transferência ou o saque em `existingId`. Para enviar de novo, use `allowDuplicate`.',
  },
  LINK_INVALID: {
    title: 'O link não é mais válido',
    cause: 'O link é desconhecido, já foi usado, foi substituído por um mais novo ou venceu.',
    remedy: 'Peça um novo: o de convite, a quem convidou; o de senha, na página de entrada.',
  },
  PAYLOAD_TOO_LARGE: {
    title: 'O corpo é grande demais',
    cause: 'O corpo tem mais de 64 KiB.',
    remedy: 'Envie menos. Textos longos ficam no seu próprio sistema, com uma referência em `metadata`.',
  },
  URI_TOO_LONG: {
    title: 'A URL é longa demais',
    cause: 'A URL tem mais de 8 KiB.',
    remedy: 'Use menos filtros ou filtros mais curtos.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'O corpo deve ser application/json',
    cause: 'O corpo não foi enviado como application/json em UTF-8.',
    remedy: 'Envie `Content-Type: application/json`.',
  },
  UNSUPPORTED_ENCODING: {
    title: 'O corpo não pode ser codificado',
    cause: 'O corpo foi enviado comprimido ou com outra codificação de conteúdo.',
    remedy: 'Envie-o como está, sem `Content-Encoding`.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    title: 'A Idempotency-Key pertence a outra requisição',
    cause:
      'Esta Idempotency-Key já foi usada com outro método, caminho ou corpo. Esta requisição não fez nada.',
    remedy:
      'Use uma nova chave para cada nova operação e, ao tentar de novo, repita a requisição exatamente como era.',
  },
  REFERENCE_NOT_FOUND: {
    title: 'Um objeto referenciado não existe',
    cause: 'Um id do corpo não pertence a nenhum objeto desta empresa e deste ambiente.',
    remedy: '`field` diz qual é. Confira o id e se o objeto foi criado com uma chave do mesmo ambiente.',
  },
  REFUND_NOT_SUPPORTED: {
    title: 'Este método não permite estorno',
    cause: 'Um pagamento por este método não pode ser estornado pela API.',
    remedy: 'Devolva o dinheiro fora da API, por exemplo com uma transferência ao pagador.',
  },
  NOT_OFFERED_BY_PROVIDER: {
    title: 'O provedor não oferece isto',
    cause: 'O banco ou a adquirente conectado para esta empresa não consegue fazer isto. Nada foi gravado.',
    remedy: '`operation` diz o que falta. Faça sem isso, ou peça outro provedor ao operador do serviço.',
  },
  REFUND_EXCEEDS_BALANCE: {
    title: 'O valor excede o que pode ser estornado',
    cause: 'O valor é maior do que o saldo estornável do pagamento.',
    remedy: 'Peça no máximo `refundableAmount`: estornos e contestações anteriores já levaram o restante.',
  },
  REFUND_WINDOW_EXPIRED: {
    title: 'O prazo de estorno terminou',
    cause: 'O prazo para estornar este pagamento terminou.',
    remedy: `Um PIX pode ser estornado por ${pixRefunds.days} dias e um pagamento com cartão, por ${cardRefunds.days}. Depois disso, devolva o dinheiro fora da API.`,
  },
  INSUFFICIENT_BALANCE: {
    title: 'Saldo insuficiente',
    cause: 'O saldo disponível é menor que o estorno.',
    remedy:
      'Aguarde a próxima liquidação ou faça um depósito (`POST /v1/pix/deposits`) e envie a mesma requisição novamente.',
  },
  CAPTURE_EXCEEDS_AUTHORIZED: {
    title: 'O valor excede a autorização',
    cause: 'O valor é maior do que o autorizado.',
    remedy: 'Capture no máximo `authorizedAmount`.',
  },
  CAPTURE_FAILED: {
    title: 'A adquirente recusou a captura',
    cause: 'A adquirente recusou a captura. O pagamento continua autorizado.',
    remedy: 'Tente novamente antes que a autorização expire ou cancele o pagamento.',
  },
  AMOUNT_MISMATCH: {
    title: 'O valor difere do valor a pagar',
    cause: 'O pagamento simulado tem um valor diferente do devido.',
    remedy: 'Omita `amount` ou envie `payableAmount`.',
  },
  CUSTOMER_DOCUMENT_REQUIRED: {
    title: 'O cliente não tem documento',
    cause: 'Um boleto exige um pagador com CPF ou CNPJ, e este cliente não tem nenhum dos dois.',
    remedy: 'Envie `customer` com o seu `document` ou o `customerId` de um cliente que tenha documento.',
  },
  CUSTOMER_EMAIL_REQUIRED: {
    title: 'O cliente não tem e-mail',
    cause: 'A cobrança foi criada para um cliente sem e-mail; não há para quem enviar.',
    remedy:
      'Entregue você mesmo o código ou o PDF ao pagador, ou crie a cobrança com um `customer` que tenha `email`.',
  },
  QUOTE_EXPIRED: {
    title: 'A cotação não vale mais',
    cause:
      'O preço de uma cotação vale por 30 segundos e para uma única conversão; esta expirou ou já foi usada.',
    remedy: 'Peça uma nova cotação e converta logo em seguida.',
  },
  ADDRESS_INVALID: {
    title: 'Não é um endereço da rede',
    cause:
      'O texto não é um endereço dessa rede: tem a forma errada, ou o dígito verificador indica que um caractere foi alterado. Ou ninguém pode gastar o que ele recebe: é o endereço zero, um em que moedas são queimadas, ou o contrato de uma stablecoin.',
    remedy:
      'Copie o endereço de novo de onde ele é exibido e confira a rede. O que é enviado a um endereço errado se perde.',
  },
  PLAN_INACTIVE: {
    title: 'O plano está inativo',
    cause: 'O plano não aceita novas assinaturas; as existentes continuam.',
    remedy: 'Use outro plano ou ative este com `PATCH /v1/plans/{id}` e `active: true`.',
  },
  RECIPIENT_INACTIVE: {
    title: 'O recebedor está inativo',
    cause: 'Um recebedor do split está inativo e não participa de novos pagamentos.',
    remedy: '`recipientId` diz qual é. Ative o recebedor ou use um split sem ele.',
  },
  SPLIT_RULE_INACTIVE: {
    title: 'A regra de split está inativa',
    cause: 'A regra de split está inativa e não divide novos pagamentos.',
    remedy: 'Ative a regra ou use outra.',
  },
  METHOD_NOT_ACCEPTED: {
    title: 'O plano não aceita este método',
    cause: 'O plano não pode ser pago por este método.',
    remedy: 'Use um dos `allowedMethods`.',
  },
  PIX_AUTOMATIC_UNAVAILABLE: {
    title: 'O Pix Automático não está disponível',
    cause: 'O provedor da sua conta não oferece autorizações, ou nenhuma com o intervalo do plano.',
    remedy:
      '`lacks` diz qual dos dois. Deixe `pixAutomatic` de fora: as faturas são então pagas por QR Code. As autorizações têm intervalos de uma semana e de um, três, seis ou doze meses.',
  },
  SAME_PLAN: {
    title: 'A assinatura já tem este plano',
    cause: 'A assinatura já tem este plano, e não há mudança agendada que possa ser desfeita.',
    remedy: 'Não há nada a fazer; informe outro plano se a intenção era outra.',
  },
  PASSWORD_WRONG: {
    title: 'A senha atual está errada',
    cause: 'A senha enviada em current não é a da pessoa.',
    remedy: 'Envie a senha atual ou saia e peça um link para definir uma nova.',
  },
  COUPON_INVALID: {
    title: 'O cupom não pode ser resgatado',
    cause: 'O cupom não pode ser resgatado.',
    remedy: '`reason` diz por quê. `GET /v1/coupons/validate` informa isso antes.',
  },
  SPLIT_EXCEEDS_AMOUNT: {
    title: 'As partes excedem o valor',
    cause: 'As partes fixas e percentuais do split somam mais do que o valor.',
    remedy:
      'Use uma regra que caiba no valor. `POST /v1/split/simulate` mostra como um valor seria dividido.',
  },
  RETRY_LIMIT_REACHED: {
    title: 'Tentativas demais com este cartão',
    cause: `O cartão foi recusado ${bounds.cardDeclinesMax} vezes em ${bounds.cardDeclinesWithinDays} dias, e depois disso as bandeiras proíbem novas tentativas.`,
    remedy: 'Peça outro cartão ao cliente ou cobre a fatura por outro método.',
  },
  EXPORT_TOO_LARGE: {
    title: 'A exportação tem linhas demais',
    cause: 'A exportação teria mais linhas do que uma exportação pode ter.',
    remedy: 'Restrinja o período ou os filtros até restarem no máximo `maxRows` e exporte em partes.',
  },
  LIMIT_EXCEEDED: {
    title: 'Um limite seria ultrapassado',
    cause: 'O limite deste dia ou desta noite já foi usado, ou resta menos do que este valor.',
    remedy:
      '`limit` diz qual é o limite, `remaining` quanto resta dele e `resetsAt` quando recomeça; é nulo no caso do limite por transferência. Envie menos, agende para outro dia ou peça o aumento do limite.',
  },
  BENEFICIARY_COOLING_OFF: {
    title: 'O favorecido é novo',
    cause:
      'Favorecidos cadastrados há menos de 24 horas, ou não cadastrados, têm um limite reduzido, que vale para a soma de todos em 24 horas.',
    remedy:
      'Envie no máximo o que resta de `limit`, ou espere até `availableAt`. Se for null, cadastre antes o favorecido.',
  },
  BENEFICIARY_INACTIVE: {
    title: 'O favorecido foi removido',
    cause: 'Nada mais pode ser enviado a este favorecido.',
    remedy: 'Cadastre o favorecido novamente.',
  },
  WALLET_NOT_ACTIVE: {
    title: 'Nada pode ser enviado à carteira',
    cause:
      'Stablecoins só podem ser enviadas a carteiras cadastradas há pelo menos 24 horas e não removidas: um envio não pode ser revertido.',
    remedy:
      '`currentStatus` diz qual é o caso. COOLING_OFF: envie a partir de `availableAt`. INACTIVE: cadastre a carteira novamente.',
  },
  LOOKUP_EXPIRED: {
    title: 'A consulta não pode ser usada',
    cause: 'A consulta de uma chave PIX vale por dez minutos, para quem a fez e para uma transferência.',
    remedy: 'Consulte a chave novamente.',
  },
  STATEMENT_REFUSED: {
    title: 'O extrato não é desta conexão e deste dia',
    cause:
      'Um arquivo com o extrato do banco vale para uma conexão e um dia: ele traz a conta da conexão, e o período contém o dia.',
    remedy: 'Exporte o extrato da conta certa com o dia no período. `detail` diz o que não confere.',
  },
  NOT_BORNE_OUT: {
    title: 'Os extratos do banco não comprovam isso',
    cause:
      'O resultado de uma transferência perdida é declarado conforme os extratos do banco: o PIX com seu identificador e valor, ou nenhum PIX assim em todos os dias em que o banco pode tê-lo enviado.',
    remedy: 'Envie o extrato do dia indicado em `date` ou corrija o identificador. `detail` diz o que falta.',
  },
  PIX_KEY_NOT_FOUND: {
    title: 'Chave PIX não encontrada',
    cause: 'Esta chave não está registrada no diretório de chaves PIX.',
    remedy:
      'Confira a chave com o favorecido. Consultas sem resultado consomem a cota vinte vezes mais rápido.',
  },
  RATE_LIMITED: {
    title: 'Requisições demais',
    cause: 'A chave de API enviou mais requisições do que o limite dela permite.',
    remedy:
      'Espere `Retry-After` segundos. `policy` identifica o limite, e o cabeçalho `RateLimit` de cada resposta diz quantas requisições restam.',
  },
  TOO_MANY_ATTEMPTS: {
    title: 'Muitas tentativas',
    cause:
      'Houve muitas tentativas sem sucesso, e nenhuma é aceita por enquanto. Uma chave de acesso nunca é bloqueada.',
    remedy: 'Aguarde quantos segundos `Retry-After` indicar.',
  },
  TOO_MANY_MAILS: {
    title: 'E-mails demais',
    cause:
      'Esta cobrança, ou as cobranças da sua empresa em conjunto, foram enviadas vezes demais. Nada foi enviado.',
    remedy: 'Aguarde até `availableAt`: a partir daí ela pode ser enviada de novo.',
  },
  LOOKUP_QUOTA: {
    title: 'A cota de consultas acabou',
    cause: 'Muitas chaves PIX foram consultadas sem que os titulares recebessem um pagamento.',
    remedy:
      'Espere `Retry-After` segundos: cada minuto devolve 20 fichas, e cada pagamento, uma. `tokens` diz quantas restam.',
  },
  HEADERS_TOO_LARGE: {
    title: 'Os cabeçalhos são grandes demais',
    cause: 'Os cabeçalhos têm, ao todo, mais de 16 KiB.',
    remedy: 'Envie menos cabeçalhos. A causa costuma ser cookies ou baggage de rastreamento.',
  },
  INTERNAL_ERROR: {
    title: 'Erro interno',
    cause: 'Um erro do próprio serviço: a culpa não é da sua requisição.',
    remedy:
      'Envie a mesma requisição novamente com a mesma `Idempotency-Key`: o que já foi feito não é feito duas vezes. Se acontecer de novo, informe o `requestId` ao operador do serviço.',
  },
  SERVICE_UNAVAILABLE: {
    title: 'O serviço não pode responder agora',
    cause: 'O serviço não pode responder agora: ou nada foi feito, ou o resultado ainda não é conhecido.',
    remedy:
      'Envie a mesma requisição novamente após `Retry-After` segundos, com a mesma `Idempotency-Key`: o que já foi feito não é feito duas vezes.',
  },
  HISTORY_UNAVAILABLE: {
    title: 'Esta parte do histórico não pode ser lida agora',
    cause:
      'O que esta requisição pede está no arquivo histórico, que não pode ser lido no momento. Nada foi feito; tudo o que é mais recente funciona.',
    remedy:
      'Envie a mesma requisição novamente mais tarde, com a mesma `Idempotency-Key`. Se continuar, informe o `requestId` ao operador do serviço: o disco do arquivo histórico está ausente ou danificado.',
  },
  UPGRADE_UNFINISHED: {
    title: 'Uma atualização do serviço não foi concluída',
    cause:
      'Os nós do serviço estão sendo atualizados, e nem todos conseguem ler o que esta requisição gravaria. Nada foi feito; todo o resto funciona.',
    remedy:
      'Envie a mesma requisição novamente mais tarde, com a mesma `Idempotency-Key`. O operador do serviço conclui a atualização com `payments cluster finalize`.',
  },
  PROVIDER_NOT_CONNECTED: {
    title: 'Nenhum provedor conectado',
    cause: 'Nenhum banco ou adquirente está conectado para isto em produção. Nada foi gravado.',
    remedy:
      '`rail` diz para quê. O operador do serviço precisa conectar um provedor; no Sandbox tudo pode ser testado sem ele.',
  },
  PROVIDER_UNAVAILABLE: {
    title: 'O provedor não responde',
    cause:
      'O banco ou a adquirente desta empresa não responde no momento, e nada de novo é iniciado com ele. Nada foi gravado.',
    remedy:
      'Envie a mesma requisição novamente depois de `Retry-After`, com a mesma `Idempotency-Key`, ou ofereça outra forma de pagar. Estornos e tudo o que já foi iniciado continuam sozinhos.',
  },
  MAIL_NOT_SET_UP: {
    title: 'O serviço não envia e-mails',
    cause: 'O operador do serviço não configurou um servidor de e-mail. Nada foi enviado.',
    remedy: 'Entregue você mesmo o código ou o PDF ao pagador; o operador configura `MAIL_URL`.',
  },
  CHECKOUT_NOT_SET_UP: {
    title: 'O serviço não tem páginas de pagamento',
    cause: 'O operador do serviço não configurou o endereço das páginas em que se paga. Nada foi criado.',
    remedy: 'O operador configura `CHECKOUT_ORIGIN` e, para cartões, `TOKENIZER_ORIGIN`.',
  },
}
