/** Lembretes a pagadores, que só a própria página carrega. */
export const remindersPt = {
  lead: 'E-mails que lembram o pagador de boletos e de cobranças PIX com vencimento.',
  when: 'Quando lembrar',
  days: 'Dias em que o pagador recebe um lembrete',
  daysHint:
    'Enviado às 9h, no horário da empresa, até o pagamento ou o cancelamento. Vale para cobranças criadas a partir de agora. Sem nenhum dia, os lembretes ficam desativados.',
  before: (days: number) => (days === 1 ? '1 dia antes' : `${days} dias antes`),
  onDueDate: 'No vencimento',
  after: (days: number) => (days === 1 ? '1 dia depois' : `${days} dias depois`),
  figures: 'E-mails a pagadores',
  sent: 'Cobranças enviadas',
  reminded: 'Lembretes enviados',
  unsubscribed: 'Pagadores descadastrados',
  unsubscribedText: 'Todo lembrete tem um link para não receber mais lembretes da sua empresa.',
}

/** The texts of the page, in any language. */
export type RemindersTexts = typeof remindersPt
