import type { ActorFacts } from '../../../engine/kernel/registry.ts'
import type { Fields } from '../layout.ts'

/**
 * The layouts of one kind of actor: for each type of fact its tag, and its fields. A type keeps its tag for ever, and no other
 * type of the same actor takes it. A type without a layout does not compile, nor does a layout of a type that is gone.
 */
export type FactLayouts<Kind extends keyof ActorFacts> = {
  readonly [Type in ActorFacts[Kind]['type']]: readonly [
    tag: number,
    fields: Fields<Omit<FactOf<ActorFacts[Kind], Type>, 'actor' | 'type'>>,
  ]
}

/** The facts that can have this type: some that have the same members share one declaration, so `Extract` finds none of them. */
type FactOf<Fact extends { readonly type: string }, Type> = Exclude<
  Fact,
  { readonly type: Exclude<Fact['type'], Type> }
>
