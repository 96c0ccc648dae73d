/** Nova cobrança de faturas vencidas, que só a própria página carrega. */
export const dunningPt = {
  lead: 'O que acontece com uma fatura não paga: novas tentativas de cobrança e ação final.',
  company: 'Régua da empresa',
  plan: (name: string) => `Régua do plano ${name}`,
  off: 'desativada',
  dueText: '1ª tentativa',
  day: (days: number) => `+${days} ${days === 1 ? 'dia' : 'dias'}`,
  attempt: (n: number) => `${n}ª tentativa`,
  finalAction: { SUSPEND: 'Suspender', CANCEL: 'Cancelar', KEEP_PAST_DUE: 'Manter em atraso' },
  finalText: {
    SUSPEND: 'a assinatura fica suspensa até o pagamento',
    CANCEL: 'a assinatura é cancelada',
    KEEP_PAST_DUE: 'a assinatura continua',
  },
  addPlan: 'Régua para um plano específico',
  choose: 'escolha…',
  enabled: 'Refazer cobranças não pagas',
  retryDays: 'Dias depois do vencimento',
  retryDaysHint: 'Em ordem e separados por vírgula, como 1, 3, 5, 7.',
  notDays: 'Informe dias de 1 a 60 em ordem crescente',
  hour: 'Horário',
  end: 'Ação final',
  removed: 'O plano voltou a seguir a régua da empresa',
}

/** The texts of the page, in any language. */
export type DunningTexts = typeof dunningPt
