import type { SandboxTexts } from './sandbox-text.ts'

/** What the Sandbox does, in Brazilian Portuguese. "Após N s" counts on the Sandbox's clock. */
export const pt: SandboxTexts = {
  scenarios: {
    paid: 'O PIX ou boleto é pago 2 s após a criação.',
    never_paid: 'Pagamentos simulados são recusados, e assim a cobrança expira.',
    paid_late: 'Quando o PIX expira, chega um pagamento, que é devolvido (`PAID_AFTER_EXPIRY`).',
    paid_twice:
      'O PIX é pago após 2 s e novamente 2 s depois: o segundo pagamento é devolvido (`DUPLICATE_PAYMENT`).',
    paid_overdue: 'O boleto é pago 5 dias após o vencimento, com multa e juros.',
    provider_error:
      'A cobrança é criada como `FAILED`: `REGISTRATION_REJECTED` em PIX e boleto, `PROVIDER_ERROR` em cartão ou stablecoin.',
    med: 'O PIX é pago após 2 s, e um MED é aberto 5 s depois.',
    refund_fails: 'Estornos do pagamento ficam `PROCESSING` e, após 5 s, `FAILED`.',
    refund_slow: 'Estornos do pagamento ficam `PROCESSING` e, após 5 s, `COMPLETED`.',
    insufficient_balance: 'Estornos do pagamento recebem 422 `INSUFFICIENT_BALANCE`.',
  },
  conversions: {
    conversion_slow: 'A conversão fica `PROCESSING` até ser resolvida.',
    conversion_fails: 'A conversão fica `FAILED` (`MARKET_MOVED`), e o dinheiro volta.',
  },
  withdrawals: {
    withdrawal_silent: 'A rede fica 15 minutos sem responder e depois confirma o saque (`COMPLETED`).',
  },
  transfers: {
    transfer_fails: 'A transferência fica `FAILED` (`REFUSED_BY_BANK`).',
    transfer_slow: 'A transferência fica `PROCESSING` e, após 5 s, `COMPLETED`.',
    transfer_silent: 'O banco fica 15 minutos sem responder e depois confirma a transferência (`COMPLETED`).',
    transfer_lost:
      'O banco nunca diz o que aconteceu com ela e não pode mais ser consultado: duas pessoas declaram o resultado, e aqui nenhum extrato é conferido.',
    transfer_insufficient:
      'A transferência recebe 422 `INSUFFICIENT_BALANCE`; uma agendada fica `FAILED` quando chega o dia.',
  },
  keys: {
    unknown: 'A consulta recebe 422 `PIX_KEY_NOT_FOUND`.',
    unanswered: 'A consulta recebe 503.',
    blocked: 'Transferências para ela ficam `FAILED` (`ACCOUNT_BLOCKED`, AC06).',
    moved:
      'Na hora do pagamento a chave tem outro titular: as transferências ficam `FAILED` (`BENEFICIARY_CHANGED`).',
    slow: 'Transferências para ela ficam `PROCESSING` e, após 5 s, `COMPLETED`.',
  },
  cards: {
    approved: 'Aprovado.',
    antifraud: '`DECLINED` pelo antifraude (`ANTIFRAUD_DECLINED`).',
    processing: '`PROCESSING` e, após 5 s, `APPROVED`.',
    processing_declined: '`PROCESSING` e, após 5 s, `DECLINED`.',
    timeout: '`PROCESSING` e, após 15 minutos, `FAILED` (`ACQUIRER_TIMEOUT`).',
    capture_fails: 'Autorizado; a captura recebe 422 `CAPTURE_FAILED`.',
    refund_fails: 'Aprovado; estornos ficam `PROCESSING` e, após 5 s, `FAILED`.',
    refund_slow: 'Aprovado; estornos ficam `PROCESSING` e, após 5 s, `COMPLETED`.',
    chargeback: 'Aprovado; um chargeback é aberto 5 s depois.',
    recurring_expires:
      'Em uma assinatura, a primeira tentativa é aprovada e as seguintes são recusadas com 54 (cartão vencido).',
  },
  declined: (code, reason, isRetryable) =>
    `\`DECLINED\` com o código ABECS ${code} (\`${reason}\`), ${isRetryable ? 'que permite nova tentativa' : 'em definitivo'}.`,
  recurringFail: (count) =>
    count === 1
      ? 'Em uma assinatura, a primeira tentativa é recusada com 51 e a seguinte é aprovada.'
      : `Em uma assinatura, as primeiras ${count} tentativas são recusadas com 51 e a seguinte é aprovada.`,
  documents: {
    antifraud: 'Um pagamento com cartão deste cliente fica `DECLINED` (`ANTIFRAUD_DECLINED`).',
    boletoRefused: 'O banco recusa o registro de um boleto deste cliente (`REGISTRATION_REJECTED`).',
    paidByThirdParty: 'Outra pessoa paga o PIX deste cliente: `payerMatchesCustomer` é false.',
  },
  winningEvidence:
    'Na defesa de um chargeback ou na contestação de um MED: fica `WON` após 5 s. Na defesa de um MED: ele fica `REJECTED`.',
  losingEvidence:
    'Na defesa de um chargeback ou na contestação de um MED: fica `LOST` após 5 s. Na defesa de um MED: ele fica `ACCEPTED`.',
  refusedBankCode:
    'Como código de banco: transferências para ele ficam `FAILED`, as de recebedores e as que pessoas enviam (`ACCOUNT_NOT_FOUND`, AC03).',
  lostBankCode:
    'Como código de banco: o banco nunca diz o que aconteceu com transferências para ele, como em `transfer_lost`.',
}
