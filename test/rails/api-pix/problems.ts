/** What a bank answers when it refuses: a value, so that callers can say which rule was broken. */
export type BankRefusal = {
  readonly refused: true
  readonly status: number
  /** The last part of the type, such as `CobOperacaoInvalida`. */
  readonly name: string
  readonly title: string
  readonly detail: string
  readonly violacoes?: readonly Violation[]
}

export type Violation = { readonly razao: string; readonly propriedade: string; readonly valor?: string }

/** Says no with the rules that were broken. */
export const refuse = (
  status: number,
  name: string,
  detail: string,
  violacoes?: readonly Violation[],
): BankRefusal => ({
  refused: true,
  status,
  name,
  title: titles[status] ?? 'Erro',
  detail,
  ...(violacoes === undefined || violacoes.length === 0 ? {} : { violacoes }),
})

const titles: Readonly<Record<number, string>> = {
  400: 'Requisição inválida',
  401: 'Não autenticado',
  403: 'Acesso negado',
  404: 'Não encontrado',
  409: 'Conflito',
  410: 'Permanentemente removido',
  422: 'Operação inválida',
  429: 'Muitas requisições',
  500: 'Erro interno do servidor',
  503: 'Serviço indisponível',
  504: 'Tempo esgotado',
}

/** Whether a part of the bank said no. */
export const isRefusal = (answer: unknown): answer is BankRefusal =>
  typeof answer === 'object' && answer !== null && 'refused' in answer

/** A refusal as RFC 7807 and API Pix write it. */
export const problemOf = ({ status, name, title, detail, violacoes }: BankRefusal) => ({
  type: `https://pix.bcb.gov.br/api/v2/error/${name}`,
  title,
  status,
  detail,
  ...(violacoes === undefined ? {} : { violacoes }),
})
