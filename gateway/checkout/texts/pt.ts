import type { Interval } from '../../../engine/billing/catalog/plan.ts'
import type { InvoiceStatus } from '../../../engine/billing/invoice/invoice.ts'
import type { MandateStatus } from '../../../engine/billing/mandate/mandate.ts'
import type { SubscriptionStatus } from '../../../engine/billing/subscription/subscription.ts'
import type { CheckoutMethod, PayerField } from '../../../engine/checkout/offer.ts'
import type { DeclineKind } from '../decline-kind.ts'

type Words<Key extends string> = Readonly<Record<Key, string>>

const intervals: Readonly<Record<Exclude<Interval, 'CUSTOM'>, readonly [one: string, many: string]>> = {
  WEEK: ['semana', 'semanas'],
  MONTH: ['mês', 'meses'],
  QUARTER: ['trimestre', 'trimestres'],
  SEMESTER: ['semestre', 'semestres'],
  YEAR: ['ano', 'anos'],
}

/** What payers read in Portuguese. */
export const pt = {
  language: 'Português',
  otherLanguage: 'English',
  test: 'Ambiente de teste: nada é cobrado.',
  payTo: (company: string): string => `Pagamento para ${company}`,
  toPay: 'Total a pagar',
  paidTotal: 'Total pago',
  summary: 'Resumo da compra',
  discount: (code: string): string => `Cupom ${code}`,
  interest: 'Juros do parcelamento',
  quantityOf: (quantity: number, unit: string): string => `${quantity} × ${unit}`,
  payBefore: 'Pague em até',
  secure: 'Conexão segura',
  legal: (name: string, document: string): string => `${name} · ${document}`,
  help: 'Precisa de ajuda?',
  terms: 'Termos de uso',
  privacy: 'Privacidade',
  backToShop: 'Voltar para a loja',

  moreTime: {
    ends: 'O tempo para pagar está acabando.',
    ask: 'Preciso de mais tempo',
    given: (left: string): string =>
      `Pronto: você tem ${left} para pagar. Só é possível pedir mais tempo uma vez.`,
    code: 'O código acima mantém a validade dele. Se ele vencer, você pode gerar outro.',
  },

  choose: {
    title: 'Como você quer pagar?',
    methods: {
      PIX: 'PIX',
      BOLETO: 'Boleto',
      CREDIT_CARD: 'Cartão de crédito',
      DEBIT_CARD: 'Cartão de débito',
      CRYPTO: 'Stablecoin (USDC ou USDT)',
    } satisfies Words<CheckoutMethod>,
    hints: {
      PIX: 'Aprovação na hora',
      BOLETO: 'Compensação em até 3 dias úteis',
      CREDIT_CARD: 'Aprovação na hora',
      DEBIT_CARD: 'O seu banco pede a confirmação',
      CRYPTO: 'Confirmação em alguns minutos',
    } satisfies Words<CheckoutMethod>,
    pay: (amount: string): string => `Pagar ${amount}`,
    payBy: {
      PIX: 'Gerar código PIX',
      BOLETO: 'Gerar boleto',
      CREDIT_CARD: 'Pagar com cartão',
      DEBIT_CARD: 'Pagar com débito',
      CRYPTO: 'Pagar com stablecoin',
    } satisfies Words<CheckoutMethod>,
    continue: 'Continuar',
    aboutYou: 'Seus dados',
    forBoleto: 'O boleto precisa do nome e do CPF ou CNPJ de quem paga.',
    cardNeedsScript: 'Para pagar com cartão, ative o JavaScript do navegador.',
    installments: 'Parcelas',
    once: (amount: string): string => `1x de ${amount}`,
    plan: (count: number, each: string, total: string): string => `${count}x de ${each} (total ${total})`,
    planFree: (count: number, each: string): string => `${count}x de ${each} sem juros`,
    rate: (monthly: string, yearly: string): string =>
      `Juros de ${monthly} ao mês nas parcelas com juros. CET de ${yearly} ao ano.`,
    coupon: 'Cupom de desconto',
    useCoupon: 'Aplicar',
    removeCoupon: 'Remover cupom',
    amount: 'Quanto você quer pagar?',
    amountHint: (min: string, max: string): string => `De ${min} a ${max}`,
    quantity: 'Quantidade',
    optional: 'opcional',
    network: 'Moeda e rede',
    pickOne: 'Escolha…',
    cardData: 'Dados do cartão',
  },

  plan: {
    before: 'Assine em até',
    payAndAuthorize: 'Pagar e autorizar com PIX',
    authorizes:
      'Este código faz duas coisas: paga agora e autoriza as próximas cobranças por Pix Automático. O seu banco mostra as duas antes de você confirmar, e você pode encerrar no aplicativo dele quando quiser.',
    eachFrom: (amount: string, date: string): string => `Cada cobrança: ${amount}, a partir de ${date}.`,
    afterwards: {
      CREATED:
        'O seu banco ainda não confirmou a autorização das próximas cobranças. Sem ela, cada fatura chega com um código Pix.',
      ACTIVE:
        'As próximas cobranças serão pagas por Pix Automático. Você pode encerrar no aplicativo do seu banco quando quiser.',
      REJECTED: 'O Pix Automático não foi autorizado: cada fatura chega com um código Pix.',
      EXPIRED: 'O Pix Automático não foi autorizado: cada fatura chega com um código Pix.',
      CANCELLED: 'O Pix Automático foi encerrado: cada fatura chega com um código Pix.',
    } satisfies Words<MandateStatus>,
    manage: 'Gerenciar assinatura',
    title: 'Como você quer assinar?',
    byCard: 'Assinar com cartão',
    price: (amount: string, every: string): string => `${amount} ${every}`,
    every: (interval: Interval, count: number): string => {
      if (interval === 'CUSTOM') return count === 1 ? 'por dia' : `a cada ${count} dias`
      const [one, many] = intervals[interval]
      return count === 1 ? `por ${one}` : `a cada ${count} ${many}`
    },
    trial: (days: number, price: string): string =>
      `${days === 1 ? '1 dia grátis' : `${days} dias grátis`}, depois ${price}`,
    untilCancelled: 'Renovação automática até o cancelamento.',
    cycles: (count: number): string => (count === 1 ? 'Uma única cobrança.' : `${count} cobranças no total.`),
    setupFee: 'Taxa de adesão',
    verified: 'O cartão é verificado com R$ 1,00, que é devolvido na hora. Nada é cobrado hoje.',
    cardOnly: 'Nada é cobrado hoje: escolha o cartão, que só é verificado.',
    done: 'Assinatura ativada',
  },

  fields: {
    name: 'Nome completo',
    document: 'CPF ou CNPJ',
    email: 'E-mail para o recibo',
    phone: 'Telefone com DDD',
    address: 'Endereço',
  } satisfies Words<PayerField>,
  addressFields: {
    zip: 'CEP',
    street: 'Rua',
    number: 'Número',
    complement: 'Complemento',
    district: 'Bairro',
    city: 'Cidade',
    state: 'Estado',
  },

  errors: {
    title: 'Confira os campos marcados',
    required: 'Preencha este campo.',
    document: 'Confira o CPF ou CNPJ: os números não conferem.',
    email: 'Confira o e-mail: ele precisa de um @ e de um domínio.',
    phone: 'Confira o telefone: escreva o DDD e o número.',
    zip: 'Confira o CEP: são oito dígitos.',
    state: 'Escolha o estado.',
    method: 'Escolha como quer pagar.',
    installments: 'Escolha uma das opções de parcelas.',
    network: 'Escolha uma moeda e uma rede.',
    amount: (min: string, max: string): string => `Escreva um valor de ${min} a ${max}, como 25,00.`,
    cardFrom: (min: string): string => `Com cartão, o valor precisa ser de pelo menos ${min}.`,
    quantity: (min: number, max: number): string => `Escolha de ${min} a ${max}.`,
    tooLong: 'O texto é longo demais.',
    number: 'Escreva só números.',
    option: 'Escolha uma das opções.',
    card: 'Não foi possível ler os dados do cartão. Digite de novo.',
    coupon: 'Este cupom não vale para esta compra.',
    couponUsedUp: 'Este cupom já foi usado todas as vezes que podia. O preço voltou ao normal.',
    text: 'Há um caractere que não pode ser usado aqui.',
  },

  notices: {
    pixExpired: 'O código PIX venceu. Você pode gerar outro.',
    declined: {
      FUNDS:
        'O cartão não tem limite ou saldo para este valor. Tente outro cartão ou outra forma de pagamento.',
      LIMIT: 'O valor passa do limite do cartão. Tente outro cartão ou outra forma de pagamento.',
      DATA: 'Os dados do cartão não conferem ou ele venceu. Confira e tente de novo.',
      BLOCKED:
        'O cartão está bloqueado ou ainda não foi desbloqueado. Fale com o banco ou tente outro cartão.',
      NOT_ALLOWED: 'O banco não autorizou esta compra. Tente outro cartão ou outra forma de pagamento.',
      TRY_AGAIN: 'Não foi possível falar com o banco do cartão. Tente de novo em alguns minutos.',
    } satisfies Words<DeclineKind>,
    boletoRefused:
      'O banco não registrou o boleto. Confira os dados e tente de novo, ou escolha outra forma.',
    failed: 'Não foi possível gerar a cobrança agora. Tente de novo ou escolha outra forma de pagamento.',
    cancelled: 'A cobrança anterior foi cancelada. Escolha como quer pagar.',
    underWay: 'Há um pagamento em andamento. Espere o resultado antes de escolher outra forma.',
    boletoHeld: (until: string): string =>
      `O boleto ainda está sendo registrado e só pode ser trocado depois de ${until}. Você pode pagá-lo também pelo código PIX abaixo.`,
    tooManyTries: 'Já foram feitas todas as tentativas que esta página permite. Fale com a loja.',
    busy: 'Outra pessoa está pagando agora. Tente de novo em alguns minutos.',
  },

  pix: {
    title: 'Pague com PIX',
    copy: 'Copiar código PIX',
    copied: 'Código copiado',
    code: 'Código PIX copia e cola',
    or: 'ou leia o QR code com outro celular',
    how: 'Como pagar',
    steps: [
      'Copie o código ou abra a câmera do aplicativo do seu banco.',
      'No aplicativo, escolha PIX e depois “PIX copia e cola” ou “Ler QR code”.',
      'Confira o valor e o nome de quem recebe, e confirme.',
    ],
    waiting: 'Aguardando o pagamento',
    validFor: 'O código vale por',
    already: 'Já paguei',
    other: 'Escolher outra forma de pagamento',
    selectByHand: 'Selecione o texto abaixo e copie.',
  },

  boleto: {
    title: 'Boleto gerado',
    line: 'Linha digitável',
    copy: 'Copiar linha digitável',
    copied: 'Linha copiada',
    pdf: 'Baixar o boleto em PDF',
    due: 'Vence em',
    hint: 'A confirmação leva até 3 dias úteis depois do pagamento.',
    registering: 'O banco está registrando o boleto. Isso leva poucos segundos.',
    byPix: 'Prefere pagar agora? Este boleto também pode ser pago por PIX.',
    barcode: 'Código de barras do boleto',
  },

  crypto: {
    title: 'Pague com stablecoin',
    send: (amount: string, network: string): string => `Envie exatamente ${amount} pela rede ${network}`,
    address: 'Endereço',
    copy: 'Copiar endereço',
    copied: 'Endereço copiado',
    copyAmount: 'Copiar valor',
    amountCopied: 'Valor copiado',
    onlyThis: 'Envie só esta moeda, só por esta rede. O que vier por outra pode se perder.',
    opening: 'O endereço está sendo criado. Isso leva poucos segundos.',
    seen: 'Transferência vista na rede. Aguardando as confirmações.',
    partial: (got: string, wanted: string): string => `Chegaram ${got} de ${wanted}. Envie o que falta.`,
  },

  working: {
    title: 'Processando o pagamento',
    text: 'O banco está decidindo. Esta página se atualiza sozinha; não pague de novo.',
  },

  done: {
    title: 'Pagamento aprovado',
    authorized: 'Pagamento autorizado',
    thanks: 'Obrigado!',
    paid: 'Valor',
    method: 'Forma de pagamento',
    at: 'Data',
    id: 'Identificação',
    to: 'Para',
    receipt: 'Baixar recibo em PDF',
    continue: 'Continuar para a loja',
    goingOn: 'Você volta para a loja em 5 segundos.',
    stay: 'Ficar nesta página',
    installments: (count: number): string => `em ${count} parcelas`,
  },

  portal: {
    askText:
      'Informe o e-mail que você usa nesta loja. Enviaremos um link para você ver suas faturas e gerenciar suas assinaturas.',
    email: 'Seu e-mail',
    sendLink: 'Enviar link',
    mailedTitle: 'Confira seu e-mail',
    mailed: 'Se houver assinaturas com esse e-mail, o link chega em instantes.',
    mailedHow: 'Ele vale por 30 minutos e só abre uma vez. Se não chegar, confira a caixa de spam.',
    askAgain: 'Usar outro e-mail',
    openText: 'Este link só abre uma vez. Continue no aparelho em que você vai usar a página.',
    open: 'Ver minhas assinaturas',
    title: 'Suas assinaturas',
    hello: (name: string): string => `Olá, ${name}`,
    none: 'Você não tem assinaturas com esta loja.',
    back: 'Voltar para a loja',
    home: 'Voltar para suas assinaturas',
    status: {
      SCHEDULED: 'Agendada',
      TRIALING: 'Em teste',
      PENDING: 'Aguardando pagamento',
      ACTIVE: 'Ativa',
      PAST_DUE: 'Pagamento atrasado',
      PAUSED: 'Pausada',
      SUSPENDED: 'Suspensa',
      CANCELLED: 'Cancelada',
      COMPLETED: 'Concluída',
    } satisfies Words<SubscriptionStatus>,
    invoiceStatus: {
      OPEN: 'Em aberto',
      PAST_DUE: 'Atrasada',
      PAID: 'Paga',
      VOID: 'Anulada',
      UNCOLLECTIBLE: 'Não paga',
    } satisfies Words<InvoiceStatus>,
    next: (date: string): string => `Próxima cobrança em ${date}`,
    ends: (date: string): string => `Ativa até ${date}, sem nova cobrança`,
    changes: (plan: string, date: string): string => `Muda para ${plan} em ${date}`,
    invoices: 'Faturas',
    due: (date: string): string => `Vence em ${date}`,
    pay: 'Pagar',
    receipt: 'Recibo em PDF',
    invoice: (number: string): string => `Fatura ${number}`,
    paid: 'Esta fatura está paga.',
    closed: 'Esta fatura não precisa mais ser paga.',
    otherMeans: 'Pagar de outra forma',
    changeCard: 'Trocar o cartão',
    saveCard: 'Salvar cartão',
    cardFor: (plan: string): string => `As próximas cobranças de ${plan} serão feitas neste cartão.`,
    cardSaved: 'Cartão salvo.',
    cancel: 'Cancelar a assinatura',
    cancelTitle: (plan: string): string => `Cancelar ${plan}?`,
    cancelText: 'Você continua com acesso até o fim do período pago e não será cobrado de novo.',
    confirmCancel: 'Sim, cancelar',
    changePlan: 'Mudar de plano',
    changeText:
      'Um plano mais caro vale agora, e você paga só a diferença. Um mais barato vale no próximo período.',
    confirmPlan: 'Mudar para este plano',
    mandate: {
      title: 'Pix Automático',
      open: 'Autorizar o Pix Automático',
      state: {
        CREATED: 'Aguardando a sua autorização',
        ACTIVE: 'Autorizado',
        REJECTED: 'Não autorizado',
        EXPIRED: 'O prazo para autorizar acabou',
        CANCELLED: 'Encerrado',
      } satisfies Words<MandateStatus>,
      byBank: 'O seu banco vai pedir a autorização: abra o aplicativo dele e confirme. Nada é cobrado agora.',
      alone: (date: string): string =>
        `Este código só autoriza: nada é cobrado agora. A primeira cobrança automática será a partir de ${date}.`,
      pays: 'Este código faz duas coisas: paga esta fatura e autoriza as próximas pelo Pix Automático. O seu banco mostra as duas antes de você confirmar.',
      mayAuthorize:
        'Este código paga esta fatura. O seu banco pergunta também se você quer autorizar as próximas pelo Pix Automático: você pode pagar sem autorizar.',
      withInvoice: 'A autorização está no código da sua fatura em aberto.',
      unconfirmed:
        'O código que pede a autorização já foi usado. Se o seu banco não mostrou a autorização, cada fatura chega com um código Pix.',
      awaited: 'O código está sendo preparado.',
      reload: 'Atualizar',
      done: 'Já autorizei',
      each: (amount: string): string => `Cada cobrança: ${amount}`,
      varies: 'O valor de cada cobrança pode variar.',
      maximum: (amount: string): string => `O seu limite por cobrança: ${amount}`,
      active:
        'As faturas são pagas pelo seu banco no vencimento. Você pode encerrar quando quiser, no aplicativo do banco.',
      byCode: 'As faturas são pagas com um código Pix de cada vez.',
      closedBy: {
        PAYER: 'Encerrado por você, no seu banco.',
        RECEIVER: 'Encerrado pela loja.',
      },
      offer: 'Autorizar de novo',
      offerText:
        'Com o Pix Automático, o seu banco paga cada fatura no vencimento e você não precisa de um código por vez. Geramos um código que só autoriza: nada é cobrado agora.',
      debited: (date: string): string =>
        `O seu banco vai pagar esta fatura em ${date} pelo Pix Automático. Se não conseguir, um código para pagar aparece aqui.`,
    },
    refused: 'Não foi possível fazer isso agora. Confira a situação da assinatura ou fale com a loja.',
  },

  closed: {
    expiredTitle: 'Esta página venceu',
    expired: 'O prazo para pagar acabou e nada foi cobrado. Peça à loja uma nova página de pagamento.',
    linkExpiredTitle: 'Este link venceu',
    linkExpired: 'O prazo deste link acabou. Peça outro à loja.',
    inactiveTitle: 'Este link foi desativado',
    inactive: 'A loja desativou este link. Fale com ela para pagar.',
    planGoneTitle: 'Este plano saiu de venda',
    planGone: 'A loja não oferece mais este plano e nada foi cobrado. Fale com ela para assinar outro.',
    exhaustedTitle: 'Este link já foi pago',
    exhausted: 'Todos os pagamentos deste link já foram feitos. Nada foi cobrado de você.',
    unknownTitle: 'Página não encontrada',
    unknown: 'Confira se o endereço está completo, como você o recebeu.',
    oldPageTitle: 'Abra a página de novo',
    oldPage: 'Esta página ficou aberta por muito tempo, ou o pedido veio de outro lugar. Nada foi cobrado.',
    reload: 'Abrir de novo',
    tooManyTitle: 'Tente daqui a pouco',
    tooMany: 'Foram muitos pedidos em pouco tempo. Espere um minuto e tente de novo.',
    unavailableTitle: 'Volte em instantes',
    unavailable:
      'O serviço está indisponível por um momento. Nada foi cobrado agora; abra a página de novo para ver o estado do pagamento.',
    contact: 'Fale com a loja',
  },

  card: {
    number: 'Número do cartão',
    holder: 'Nome impresso no cartão',
    expiry: 'Validade (MM/AA)',
    code: 'Código de segurança',
    frameTitle: 'Dados do cartão',
    testOnly: 'Só os números de teste da documentação são aceitos.',
    badNumber: 'Confira o número do cartão.',
    badExpiry: 'Confira a validade, como 12/30.',
    badCode: 'Confira o código de segurança.',
    badHolder: 'Escreva o nome como está no cartão.',
    challengeTitle: 'Confirme a compra no seu banco',
    challengeText: 'Teste do 3-D Secure: o banco pergunta se foi você.',
    confirm: 'Confirmar',
    cancel: 'Cancelar',
    notAuthenticated:
      'O banco não confirmou que o cartão é seu. Tente outro cartão ou outra forma de pagamento.',
    reading: 'Lendo o cartão…',
    off: 'Pagamento com cartão indisponível no momento. Use outra forma.',
  },
}

/** Every text that payers read. English has all of them too, or the service does not compile. */
export type PageTexts = typeof pt
