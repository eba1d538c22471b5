/**
 * The actions of a household as a planning domain, written for this package. The predicates have ALFWorld's
 * names.
 */
const actions = {
  look: `
  (:action look
    :parameters (?a - agent ?l - location)
    :precondition (atLocation ?a ?l)
    :effect (checked ?l))`,
  inventory: `
  (:action inventory
    :parameters (?a - agent)
    :precondition ()
    :effect (checked ?a))`,
  help: `
  (:action help
    :parameters (?a - agent)
    :precondition ()
    :effect (checked ?a))`,
  others: `
  ;; One faces one receptacle at a time. An instance that would lead to where one is changes nothing, and planners drop it.
  (:action GotoLocation
    :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
    :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
    :effect (and (not (atLocation ?a ?lStart)) (atLocation ?a ?lEnd)))

  (:action examineReceptacle
    :parameters (?a - agent ?r - receptacle)
    :precondition (exists (?l - location) (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l)))
    :effect (checked ?r))

  ;; Only what is in the hand can be looked at.
  (:action examineObject
    :parameters (?a - agent ?o - object)
    :precondition (holds ?a ?o)
    :effect (checked ?o))

  (:action OpenObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (openable ?r) (not (opened ?r)))
    :effect (opened ?r))

  (:action CloseObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (openable ?r) (opened ?r))
    :effect (not (opened ?r)))

  (:action PickupObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (pickupable ?o) (not (holdsAny ?a)) (inReceptacle ?o ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
                       (imply (openable ?r) (opened ?r)))
    :effect (and (holds ?a ?o) (holdsAny ?a) (not (inReceptacle ?o ?r)) (not (objectAtLocation ?o ?l))))

  (:action PutObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
    :precondition (and (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (imply (openable ?r) (opened ?r))
                       (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot))
    :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a))))

  (:action CleanObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (holds ?a ?o) (cleanable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (receptacleType ?r SinkBasinType))
    :effect (isClean ?o))

  (:action HeatObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (holds ?a ?o) (heatable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (receptacleType ?r MicrowaveType))
    :effect (and (isHot ?o) (not (isCool ?o))))

  (:action CoolObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (holds ?a ?o) (coolable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (receptacleType ?r FridgeType))
    :effect (and (isCool ?o) (not (isHot ?o))))

  ;; What is turned on stays on.
  (:action ToggleObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (toggleable ?o) (inReceptacle ?o ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l))
    :effect (isToggled ?o))

  ;; Only what is in sight can be sliced.
  (:action SliceObject
    :parameters (?a - agent ?l - location ?co - object ?ko - object ?r - receptacle)
    :precondition (and (holds ?a ?ko) (cutting ?ko) (sliceable ?co) (inReceptacle ?co ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l)
                       (imply (openable ?r) (opened ?r)))
    :effect (isSliced ?co))`,
} as const;

/** The domain of the games written here. The classic dialect has no `help`. */
export function domainText(hasHelp: boolean): string {
  return `;; The rules of a household in text, written for these games: what is ALFWorld's about them are the names.
(define (domain alfred)
  (:requirements :adl :typing)
  (:types agent location receptacle object rtype otype)
  (:predicates
    (atLocation ?a - agent ?l - location)
    (receptacleAtLocation ?r - receptacle ?l - location)
    (objectAtLocation ?o - object ?l - location)
    (inReceptacle ?o - object ?r - receptacle)
    (holds ?a - agent ?o - object)
    (holdsAny ?a - agent)
    (receptacleType ?r - receptacle ?t - rtype)
    (objectType ?o - object ?t - otype)
    (canContain ?rt - rtype ?ot - otype)
    (openable ?r - receptacle)
    (opened ?r - receptacle)
    (pickupable ?o - object)
    (isReceptacleObject ?o - object)
    (cleanable ?o - object)
    (isClean ?o - object)
    (heatable ?o - object)
    (isHot ?o - object)
    (coolable ?o - object)
    (isCool ?o - object)
    (sliceable ?o - object)
    (isSliced ?o - object)
    (cutting ?o - object)
    (toggleable ?o - object)
    (isToggled ?o - object)
    (checked ?x - object)
  )
${actions.look}
${actions.inventory}
${hasHelp ? `${actions.help}\n` : ''}${actions.others}
)
`;
}
