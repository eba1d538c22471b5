(define (problem harbour-1)
  (:domain harbour)
  (:objects
    mara - keeper
    shed pier Mast - spot
    oilLamp signal - lantern
    teaBox ropeBox - crate
    glassBox - fragile
    sailCloth - cargo
  )
  (:init
    (standsAt mara shed)
    (linked shed quay) (linked quay pier) (linked pier mast)
    (liesAt oilLamp shed) (liesAt teaBox shed) (liesAt ropeBox shed) (liesAt glassBox quay) (liesAt signal mast)
    (liesAt sailCloth pier)
    (stacked teaBox ropeBox)
    (freeHands)
    (= (way shed quay) 4) (= (way quay shed) 4) (= (way shed shed) 0)
    (= (way quay pier) 2) (= (way pier quay) 2) (= (way pier mast) 1) (= (way mast pier) 1)
    (= (way quay quay) 0) (= (way pier pier) 0) (= (way mast mast) 0)
    (= (total-cost) 0)
  )
  (:goal (and
    (exists (?c - lantern) (and (lit ?c) (exists (?s - spot) (and (standsAt mara ?s) (= ?s mast)))))
    (exists (?a - crate ?b - crate) (and (not (= ?a ?b)) (liesAt ?a pier) (liesAt ?b pier)))
  ))
  (:metric minimize (total-cost))
)
