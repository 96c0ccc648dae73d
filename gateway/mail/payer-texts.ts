import type { MailPurpose } from '../../engine/payer-mail/payer-mail.ts'

/** What mails to payers say, in each language. */
export type PayerTexts = {
  readonly locale: string
  readonly subject: Readonly<Record<MailPurpose, (charge: ChargeWords) => string>>
  readonly hello: (name: string) => string
  readonly opening: Readonly<Record<MailPurpose, (charge: ChargeWords) => string>>
  readonly test: string
  readonly testReceipt: string
  readonly amount: string
  readonly dueDate: string
  readonly description: string
  readonly pix: string
  readonly pixHow: string
  readonly qrCode: string
  readonly boleto: string
  readonly boletoHow: string
  readonly check: (company: string) => string
  readonly sentBy: (company: string, document: string) => string
  readonly unsubscribe: (company: string) => string
  readonly testPortal: string
  /** The link to a customer's own subscriptions. */
  readonly portal: {
    readonly subject: (company: string) => string
    readonly opening: string
    readonly open: string
    readonly ignore: string
  }
}

export type ChargeWords = {
  readonly company: string
  readonly amount: string
  /** Null for a charge without a due date. */
  readonly dueDate: string | null
}

const pt: PayerTexts = {
  locale: 'pt-BR',
  subject: {
    REQUESTED: ({ company, amount }) => `Cobrança de ${amount} de ${company}`,
    BEFORE_DUE: ({ company, dueDate }) => `Lembrete: sua cobrança de ${company} vence em ${dueDate}`,
    ON_DUE_DATE: ({ company }) => `Sua cobrança de ${company} vence hoje`,
    AFTER_DUE: ({ company, dueDate }) => `Sua cobrança de ${company} venceu em ${dueDate}`,
    RECEIPT: ({ company, amount }) => `Recibo: ${amount} para ${company}`,
  },
  hello: (name) => (name === '' ? 'Olá!' : `Olá, ${name}!`),
  opening: {
    REQUESTED: ({ company }) => `${company} enviou esta cobrança para você.`,
    BEFORE_DUE: ({ company, dueDate }) =>
      `Sua cobrança de ${company} vence em ${dueDate}. Se você já pagou, desconsidere este lembrete.`,
    ON_DUE_DATE: ({ company }) =>
      `Sua cobrança de ${company} vence hoje. Se você já pagou, desconsidere este lembrete.`,
    AFTER_DUE: ({ company, dueDate }) =>
      `Sua cobrança de ${company} venceu em ${dueDate} e ainda não identificamos o pagamento. Se você já pagou, desconsidere este lembrete.`,
    RECEIPT: ({ company }) => `${company} recebeu o seu pagamento. O recibo está anexado em PDF.`,
  },
  test: 'Esta é uma cobrança de teste: não há nada a pagar.',
  testReceipt: 'Este é um recibo de teste: nada foi pago.',
  amount: 'Valor',
  dueDate: 'Vencimento',
  description: 'Descrição',
  pix: 'Pague com PIX',
  pixHow: 'No aplicativo do seu banco, leia o QR Code ou use o código em PIX copia e cola:',
  qrCode: 'QR Code do PIX',
  boleto: 'Pague com boleto',
  boletoHow:
    'O boleto está anexado em PDF. Se preferir, digite a linha digitável no aplicativo do seu banco:',
  check: (company) => `Antes de pagar, confira se o favorecido é ${company}.`,
  sentBy: (company, document) => `Mensagem enviada a pedido de ${company}, CNPJ ${document}.`,
  unsubscribe: (company) => `Não receber mais lembretes de ${company}`,
  testPortal: 'Esta é uma mensagem de teste.',
  portal: {
    subject: (company) => `Suas assinaturas de ${company}`,
    opening: 'Aqui está o link para ver suas assinaturas. Ele vale por 30 minutos e só abre uma vez.',
    open: 'Ver minhas assinaturas',
    ignore: 'Se você não pediu este link, ignore esta mensagem. Não a encaminhe a ninguém.',
  },
}

const en: PayerTexts = {
  locale: 'en',
  subject: {
    REQUESTED: ({ company, amount }) => `Payment request for ${amount} from ${company}`,
    BEFORE_DUE: ({ company, dueDate }) => `Reminder: your payment to ${company} is due on ${dueDate}`,
    ON_DUE_DATE: ({ company }) => `Your payment to ${company} is due today`,
    AFTER_DUE: ({ company, dueDate }) => `Your payment to ${company} was due on ${dueDate}`,
    RECEIPT: ({ company, amount }) => `Receipt: ${amount} to ${company}`,
  },
  hello: (name) => (name === '' ? 'Hello!' : `Hello, ${name}!`),
  opening: {
    REQUESTED: ({ company }) => `${company} sent you this payment request.`,
    BEFORE_DUE: ({ company, dueDate }) =>
      `Your payment to ${company} is due on ${dueDate}. If you have paid already, ignore this reminder.`,
    ON_DUE_DATE: ({ company }) =>
      `Your payment to ${company} is due today. If you have paid already, ignore this reminder.`,
    AFTER_DUE: ({ company, dueDate }) =>
      `Your payment to ${company} was due on ${dueDate}, and we have not received it yet. If you have paid already, ignore this reminder.`,
    RECEIPT: ({ company }) => `${company} has received your payment. The receipt is attached as a PDF.`,
  },
  test: 'This is a test: there is nothing to pay.',
  testReceipt: 'This is a test receipt: nothing was paid.',
  amount: 'Amount',
  dueDate: 'Due date',
  description: 'Description',
  pix: 'Pay with PIX',
  pixHow: 'In your bank’s app, scan the QR code or paste this PIX code:',
  qrCode: 'PIX QR code',
  boleto: 'Pay by boleto',
  boletoHow: 'The boleto is attached as a PDF. You can also type its digits in your bank’s app:',
  check: (company) => `Before you pay, check that the recipient is ${company}.`,
  sentBy: (company, document) => `Sent on behalf of ${company}, CNPJ ${document}.`,
  unsubscribe: (company) => `Stop reminders from ${company}`,
  testPortal: 'This is a test message.',
  portal: {
    subject: (company) => `Your subscriptions at ${company}`,
    opening: 'Here is the link to your subscriptions. It can be used once, within 30 minutes.',
    open: 'View my subscriptions',
    ignore: 'If you did not ask for this link, ignore this message. Do not forward it to anyone.',
  },
}

export const payerTexts = { pt, en } as const
