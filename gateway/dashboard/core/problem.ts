/** A refusal by the API, or a request that got no response. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly requestId: string | null
  readonly fields: readonly FieldProblem[]
  /** Everything else that the problem says, such as `methods` or `existingId`. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    super(String(body.detail ?? body.title ?? status))
    this.status = status
    this.code = String(body.code ?? 'UNKNOWN')
    this.title = String(body.title ?? '')
    this.detail = String(body.detail ?? '')
    this.requestId = typeof body.requestId === 'string' ? body.requestId : null
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : []
    this.extra = body
  }
}

export type FieldProblem = { readonly field: string; readonly code: string; readonly message: string }

/** The problem of a response; without a code if a proxy wrote something other than JSON. */
export const problemFrom = async (response: Response): Promise<ApiProblem> => {
  const body: unknown = await response.json().catch(() => null)
  return new ApiProblem(
    response.status,
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {},
  )
}

/** The problem of a request that got no response. */
export const unreachable = (): ApiProblem => new ApiProblem(0, { code: 'UNREACHABLE' })
