/** What people call the steps of a transaction, by the fact that is one. */
export type StepNames<Fact extends { readonly type: string }> = Readonly<
  Record<Fact['type'], Readonly<Record<'en' | 'pt', string>>>
>
