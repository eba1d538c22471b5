;; An attic with what ALFWorld's own rooms have: receptacles that share a place, things on the floor, things that are in two receptacles at
;; once, ids made of coordinates. The rules are written anew; some are those of ALFWorld's older domain.

(define (domain attic)
  (:requirements :adl :typing :action-costs)
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
    (toggleable ?o - object)
    (isOn ?o - object)
    (isToggled ?o - object)
    (cleanable ?o - object)
    (isClean ?o - object)
    (sliceable ?o - object)
    (isSliced ?o - object)
    (checked ?r - receptacle)
  )
  (:functions (total-cost) - number)

  (:action look
    :parameters (?a - agent ?l - location)
    :precondition (and (atLocation ?a ?l))
    :effect (checked ?l))
  (:action inventory :parameters (?a - agent) :precondition () :effect (and (checked ?a)))
  (:action examineReceptacle
    :parameters (?a - agent ?r - receptacle)
    :precondition (exists (?l - location) (and (receptacleAtLocation ?r ?l) (atLocation ?a ?l)))
    :effect (checked ?r))
  (:action examineObject
    :parameters (?a - agent ?o - object)
    :precondition (or (exists (?l - location, ?r - receptacle) (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r)))
                      (holds ?a ?o))
    :effect (checked ?o))
  (:action GotoLocation
    :parameters (?a - agent ?lStart - location ?lEnd - location ?r - receptacle)
    :precondition (and (atLocation ?a ?lStart) (receptacleAtLocation ?r ?lEnd))
    :effect (and (atLocation ?a ?lEnd) (not (atLocation ?a ?lStart)) (increase (total-cost) 1)))
  (:action OpenObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (forall (?any - receptacle) (not (opened ?any))))
    :effect (and (opened ?r) (checked ?r) (increase (total-cost) 1)))
  (:action CloseObject
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and (openable ?r) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (opened ?r))
    :effect (and (not (opened ?r)) (increase (total-cost) 1)))
  (:action PickupObject
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and (pickupable ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (inReceptacle ?o ?r) (not (holdsAny ?a))
                       (or (opened ?r) (not (openable ?r))))
    :effect (and (holds ?a ?o) (holdsAny ?a) (not (inReceptacle ?o ?r)) (not (objectAtLocation ?o ?l)) (increase (total-cost) 1)))
  (:action PutObject
    :parameters (?a - agent ?l - location ?ot - otype ?rt - rtype ?o - object ?r - receptacle)
    :precondition (and (holds ?a ?o) (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (or (opened ?r) (not (openable ?r)))
                       (objectType ?o ?ot) (receptacleType ?r ?rt) (canContain ?rt ?ot))
    :effect (and (inReceptacle ?o ?r) (objectAtLocation ?o ?l) (not (holds ?a ?o)) (not (holdsAny ?a)) (increase (total-cost) 1)))
  (:action CleanObject
    :parameters (?a - agent ?l - location ?r - receptacle ?o - object)
    :precondition (and (cleanable ?o) (or (receptacleType ?r SinkBasinType) (receptacleType ?r PumpType))
                       (atLocation ?a ?l) (receptacleAtLocation ?r ?l) (holds ?a ?o))
    :effect (and (isClean ?o) (increase (total-cost) 5)))
  (:action ToggleObject
    :parameters (?a - agent ?l - location ?o - object)
    :precondition (and (toggleable ?o) (atLocation ?a ?l) (objectAtLocation ?o ?l))
    :effect (and (when (isOn ?o) (not (isOn ?o))) (when (not (isOn ?o)) (isOn ?o)) (isToggled ?o) (increase (total-cost) 5)))
  (:action SliceObject
    :parameters (?a - agent ?l - location ?co - object ?ko - object)
    :precondition (and (sliceable ?co) (or (objectType ?ko KnifeType) (objectType ?ko AxeType)) (atLocation ?a ?l)
                       (objectAtLocation ?co ?l) (holds ?a ?ko))
    :effect (and (isSliced ?co) (increase (total-cost) 5)))
)
