/** Limites e aprovações, que só a própria página carrega. */
export const limitsPt = {
  lead: 'Limites de envio e regras de aprovação. Reduções valem na hora; aumentos valem após 24 horas e a aprovação de outra pessoa, se houver outro aprovador.',
  readOnly: 'Somente proprietários e administradores podem alterar.',
  policy: 'Política de aprovação',
  limits: 'Limites',
  field: {
    enabled: 'Exigir aprovação',
    thresholdAmount: 'Aprovação acima de',
    personDailyAmount: 'Aprovação acima de (soma diária por pessoa)',
    newBeneficiaryAmount: 'Aprovação acima de (novo favorecido)',
    required: 'Número de aprovações',
    expiresAfterHours: 'Sem aprovação, cancelar após',
    pixDayAmount: 'PIX por dia',
    pixNightAmount: 'PIX por noite',
    nightStartsAt: 'Período noturno',
    tedDayAmount: 'TED por dia',
    cryptoDayAmount: 'Cripto por dia',
    newBeneficiaryDayAmount: 'Novos favorecidos (soma em 24 h)',
    pixTransferAmount: 'Por transferência PIX',
    tedTransferAmount: 'Por transferência TED',
  },
  hint: {
    enabled: 'Se desativado, uma única pessoa pode movimentar qualquer valor.',
    personDailyAmount: 'Considera a soma do dia: dividir um pagamento não evita a aprovação.',
    required: 'Sempre de outras pessoas, cada uma com o seu segundo fator.',
    expiresAfterHours: 'Em horas, de 1 a 720.',
    newBeneficiaryDayAmount:
      'Soma dos envios em 24 horas a favorecidos não cadastrados ou cadastrados há menos de 24 horas.',
    pixTransferAmount: 'Deixe em branco para não limitar cada transferência.',
    tedTransferAmount: 'Deixe em branco para não limitar cada transferência.',
    pixNightAmount: 'Para MEI, o limite inicial é de R$ 1.000,00, conforme a regra do Banco Central.',
  },
  noBound: 'sem limite',
  night: (from: string) => `${from} às 06:00`,
  used: (amount: string) => `${amount} usados hoje`,
  next: (value: string, at: string | null) =>
    at === null ? `${value}, se for aprovado` : `${value} a partir de ${at}`,
  fewPeople: (others: number) =>
    others === 0
      ? 'Não há outro aprovador: os seus envios não passam por aprovação. Convide outra pessoa em Equipe.'
      : others === 1
        ? 'Há apenas 1 outro aprovador: somente a aprovação dele é exigida.'
        : `Há apenas ${others} outros aprovadores: somente a aprovação deles é exigida.`,
  pendingText:
    'Há um aumento pendente. Outro só pode ser solicitado depois dele; uma redução do mesmo item o cancela.',
  unchanged: 'Altere um valor para ver se vale na hora ou se precisa aguardar.',
  atOnce: 'vale na hora',
  later: (hasApprover: boolean): string =>
    hasApprover ? 'vale 24 h depois que outra pessoa aprovar' : 'vale em 24 h',
  waits: (hasApprover: boolean): string =>
    hasApprover
      ? 'Alterações salvas; aumentos aguardam a aprovação de outra pessoa'
      : 'Alterações salvas; aumentos valem em 24 horas',
  changes: 'Aumentos de limite',
  change: 'Alteração',
  askedBy: 'Solicitada por',
  decidedBy: 'Decidida por',
  from: (at: string) => `a partir de ${at}`,
  none: 'Nenhum aumento pendente',
  noneText:
    'Aumentos de limite e dispensas de aprovação aparecem aqui: outra pessoa aprova ou rejeita, e a alteração só vale 24 horas depois. É uma proteção contra fraudes.',
}

/** Every text of the page about limits. */
export type LimitTexts = typeof limitsPt
