;; A small harbour, made to exercise what the household's domain does not: a hierarchy of types, constants, a fact about nothing,
;; implication, effects on all, conditional effects, equality, and actions that would change nothing.

(define (domain harbour)
  (:requirements :adl :typing :action-costs)
  (:types
    keeper spot cargo - object
    crate lantern fragile - cargo
  )
  (:constants quay - spot)
  (:predicates
    (standsAt ?k - keeper ?s - spot)
    (liesAt ?c - cargo ?s - spot)
    (carries ?k - keeper ?c - cargo)
    (freeHands)
    (linked ?s - spot ?t - spot)
    (lit ?c - lantern)
    (wet ?c - cargo)
    (stacked ?a - cargo ?b - cargo)
    (flooded)
    (sealed ?c - cargo)
    (noticed ?x - object)
  )
  (:functions (total-cost) - number (way ?s ?t))

  (:action wait
    :parameters (?k - keeper)
    :precondition ()
    :effect (and (noticed ?k) (increase (total-cost) 1)))

  (:action walk
    :parameters (?k - keeper ?from - spot ?to - spot)
    :precondition (and (standsAt ?k ?from) (or (linked ?from ?to) (linked ?to ?from) (= ?from ?to)))
    :effect (and (not (standsAt ?k ?from)) (standsAt ?k ?to) (increase (total-cost) (way ?from ?to))))

  (:action lift
    :parameters (?k - keeper ?c - cargo ?s - spot)
    :precondition (and (standsAt ?k ?s) (liesAt ?c ?s) (freeHands)
                       (forall (?o - cargo) (not (stacked ?o ?c))))
    :effect (and (carries ?k ?c) (not (liesAt ?c ?s)) (not (freeHands))
                 (forall (?o - cargo) (when (stacked ?c ?o) (not (stacked ?c ?o))))))

  (:action drop
    :parameters (?k - keeper ?c - cargo ?s - spot)
    :precondition (and (standsAt ?k ?s) (carries ?k ?c))
    :effect (and (liesAt ?c ?s) (not (carries ?k ?c)) (freeHands) (not (sealed ?c))
                 (when (flooded) (wet ?c))))

  (:action stack
    :parameters (?k - keeper ?c - crate ?on - crate ?s - spot)
    :precondition (and (standsAt ?k ?s) (carries ?k ?c) (liesAt ?on ?s) (not (= ?c ?on))
                       (imply (wet ?on) (wet ?c)))
    :effect (and (liesAt ?c ?s) (stacked ?c ?on) (not (carries ?k ?c)) (freeHands)))

  (:action pump
    :parameters (?k - keeper)
    :precondition (standsAt ?k quay)
    :effect (and (when (flooded) (not (flooded))) (when (not (flooded)) (flooded))
                 (forall (?c - cargo) (when (and (not (flooded)) (liesAt ?c quay)) (wet ?c)))))

  (:action kindle
    :parameters (?k - keeper ?c - lantern)
    :precondition (and (carries ?k ?c) (or (not (wet ?c)) (sealed ?c)))
    :effect (lit ?c))

  (:action seal
    :parameters (?k - keeper ?c - cargo)
    :precondition (or (carries ?k ?c)
                      (exists (?s - spot, ?x - cargo) (and (standsAt ?k ?s) (liesAt ?c ?s))))
    :effect (sealed ?c))

  (:action survey
    :parameters (?k - keeper ?s - spot)
    :precondition (standsAt ?k ?s)
    :effect (noticed ?s))
)
