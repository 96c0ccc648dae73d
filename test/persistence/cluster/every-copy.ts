import { loadRuleOf } from '../../../persistence/cluster/load-rule.ts'
import type { ClusterMemberOptions } from '../../../persistence/cluster/open-member.ts'

/** The options of a member of a cluster in which every node holds a copy of every shard, and none moves because of its load. */
export const everyCopy: Pick<
  ClusterMemberOptions,
  | 'copiesRule'
  | 'zone'
  | 'copies'
  | 'place'
  | 'hold'
  | 'leave'
  | 'isGathering'
  | 'loadRule'
  | 'moves'
  | 'move'
> = {
  copiesRule: { copies: 9, goneMs: 600_000, stableMs: 5_000, lookMs: 1_000 },
  zone: '',
  copies: () => null,
  place: () => undefined,
  hold: () => undefined,
  leave: async () => undefined,
  isGathering: () => false,
  loadRule: loadRuleOf(0),
  moves: () => ({ number: 0, nodes: new Map() }),
  move: () => undefined,
}
